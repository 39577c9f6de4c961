-- What the referee needs beyond the first story.

-- The block of changes with which this action stands in later prompts; NULL in rows that are older than it.
ALTER TABLE actions ADD COLUMN state_block TEXT;

-- A stat schema that is being written and cannot be used yet, so that no work on it is lost.
CREATE TABLE schema_drafts (
  scenario_id INTEGER NOT NULL PRIMARY KEY REFERENCES scenarios (id) ON DELETE CASCADE,
  text TEXT NOT NULL
);
