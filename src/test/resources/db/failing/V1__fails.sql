-- A migration that fails half way: nothing of it may be kept.
CREATE TABLE half_way (id int);
SELECT 1 / 0;
