-- Which version the name keys were made by: one row, after the migrations.
SELECT version FROM name_key_version
