-- What the player might do next, as a model suggested it: JSON of the newest action's id, the hash of its text, and the
-- suggestions. NULL without any; those of an older action are out of date.
ALTER TABLE adventures ADD COLUMN suggestions TEXT;
