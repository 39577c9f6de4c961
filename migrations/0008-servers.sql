-- What the player may ask of a model beyond the common fields. NULL is not sent, and the server's own way holds.
ALTER TABLE settings ADD COLUMN top_p REAL;
ALTER TABLE settings ADD COLUMN min_p REAL;
ALTER TABLE settings ADD COLUMN repeat_penalty REAL;
ALTER TABLE settings ADD COLUMN dry_multiplier REAL;
ALTER TABLE settings ADD COLUMN xtc_probability REAL;
ALTER TABLE settings ADD COLUMN reasoning_effort TEXT;
-- The window that Ollama is asked to load a model with.
ALTER TABLE settings ADD COLUMN num_ctx INTEGER;
-- Whether a reply ends where the model begins to write the player's line.
ALTER TABLE settings ADD COLUMN stop_at_player INTEGER NOT NULL DEFAULT 0;
-- When changes are asked for by themselves: off, needed or always.
ALTER TABLE settings ADD COLUMN second_call TEXT NOT NULL DEFAULT 'needed';

-- Which kind of server answers at the endpoint and the lines that say so, and whether the model's replies obey a JSON
-- Schema there; NULL while nobody has asked.
ALTER TABLE endpoint_facts ADD COLUMN server TEXT NOT NULL DEFAULT 'unknown';
ALTER TABLE endpoint_facts ADD COLUMN evidence TEXT NOT NULL DEFAULT '';
ALTER TABLE endpoint_facts ADD COLUMN enforces INTEGER;
