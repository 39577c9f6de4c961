-- When a story card is told, and how often: JSON of conditions and rules. NULL where its triggers alone decide.
ALTER TABLE story_cards ADD COLUMN timing TEXT;
-- What the live attempt of a narration leaves behind for timed cards, as JSON. The other attempts keep theirs in `variants`.
ALTER TABLE actions ADD COLUMN timing TEXT;
-- What was thrown for the chances of cards in the next passage, as JSON, until a reply is stored. NULL before that.
ALTER TABLE adventures ADD COLUMN chances TEXT;
