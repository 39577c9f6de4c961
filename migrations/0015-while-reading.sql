-- What happens while the player reads: the server reads ahead. A reply that repeats itself is stopped.
ALTER TABLE settings ADD COLUMN read_ahead INTEGER NOT NULL DEFAULT 1;
ALTER TABLE settings ADD COLUMN loop_guard INTEGER NOT NULL DEFAULT 1;
