-- The role that owns the embedded database. 42710 when it is there already.
-- The one parameter, its password, is filled in as text: utility statements take no other.
CREATE ROLE gateway LOGIN PASSWORD '%s'
