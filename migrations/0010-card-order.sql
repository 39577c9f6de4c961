-- The place of a story card among those of its owner, where its author has moved it; by default its id.
ALTER TABLE story_cards ADD COLUMN position INTEGER;
