-- The embedded database. 42P04 when it is there already.
CREATE DATABASE lease_gateway OWNER gateway
