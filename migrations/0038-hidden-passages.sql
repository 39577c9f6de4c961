-- 1 when the player keeps a passage out of what the narrator is told.
ALTER TABLE actions ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
