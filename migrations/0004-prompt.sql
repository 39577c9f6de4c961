-- What the append-only prompt needs: nothing that was sent once changes until the window is cut.

-- What stood around the player's words when this turn was told, as hashes over prompt_parts; NULL in older rows.
ALTER TABLE actions ADD COLUMN prompt_notes TEXT;
-- 1 when the reply goes back into later prompts exactly as the model wrote it.
ALTER TABLE actions ADD COLUMN replays_raw INTEGER NOT NULL DEFAULT 0;

-- Where the window of this story begins (NULL: nowhere yet), the summary that stands before it, and a mark of all that
-- stands still in front.
ALTER TABLE adventures ADD COLUMN epoch_start INTEGER;
ALTER TABLE adventures ADD COLUMN epoch_summary TEXT NOT NULL DEFAULT '';
ALTER TABLE adventures ADD COLUMN epoch_static TEXT NOT NULL DEFAULT '';
