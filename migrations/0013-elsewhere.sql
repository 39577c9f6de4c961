-- By what we see that another program has written here: it does not know these columns and leaves them as they are.

-- A mark of the text that cut, raw_output and state_block belong to; NULL in rows that we have not written.
ALTER TABLE actions ADD COLUMN told_mark TEXT;

-- A mark of the world as we left it.
ALTER TABLE adventures ADD COLUMN world_mark TEXT;
