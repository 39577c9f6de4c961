-- How the characters speak: told to the model while the prompt has room for it. A story copies it from its scenario.
ALTER TABLE scenarios ADD COLUMN example_dialogue TEXT NOT NULL DEFAULT '';
ALTER TABLE adventures ADD COLUMN example_dialogue TEXT NOT NULL DEFAULT '';
