-- Accepts this cluster as the one to grant in (store.md, must 3); run by hand, never by a gateway
-- that serves. No parameters; one row, the new epoch or null when the anchor is right as it is.
SELECT anchor_fencing_epoch()
