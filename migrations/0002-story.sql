-- What the first story needs beyond the earlier release.

-- Seconds that the model may be silent; NULL is 300.
ALTER TABLE settings ADD COLUMN read_timeout_seconds INTEGER;

-- The schema that this story is played under; NULL is the scenario's.
ALTER TABLE adventures ADD COLUMN stat_schema JSON;

-- Kept beside the rows, so that no request counts them; set right when the library opens.
ALTER TABLE adventures ADD COLUMN action_count INTEGER NOT NULL DEFAULT 0;

-- Why the live attempt ends early: 'length', 'stopped', or NULL when it does not.
ALTER TABLE actions ADD COLUMN cut TEXT;

-- The live attempt as the model wrote it; NULL in rows of the earlier release.
ALTER TABLE actions ADD COLUMN raw_output TEXT;

-- The first 32 digits of the SHA-256 of the stored picture; '' without one. Lists need it and must not read the picture.
ALTER TABLE scenarios ADD COLUMN image_hash TEXT NOT NULL DEFAULT '';

-- Texts of prompts by a hash: a snapshot lists hashes, and no text is stored twice.
-- "since" is the index of the action whose prompt brought the text, so that an undo takes it along.
CREATE TABLE prompt_parts (
  adventure_id INTEGER NOT NULL REFERENCES adventures (id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  since INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (adventure_id, hash)
) WITHOUT ROWID;
CREATE INDEX prompt_parts_by_turn ON prompt_parts (adventure_id, since);

-- What stands in a composer and is not sent yet.
CREATE TABLE drafts (
  adventure_id INTEGER NOT NULL PRIMARY KEY REFERENCES adventures (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  text TEXT NOT NULL
);

CREATE INDEX IF NOT EXISTS actions_by_adventure ON actions (adventure_id, "index");
CREATE INDEX IF NOT EXISTS adventures_by_scenario ON adventures (scenario_id);
CREATE INDEX IF NOT EXISTS memories_by_adventure ON memories (adventure_id, source_end);
CREATE INDEX IF NOT EXISTS story_cards_by_scenario ON story_cards (scenario_id);
CREATE INDEX IF NOT EXISTS story_cards_by_adventure ON story_cards (adventure_id);
