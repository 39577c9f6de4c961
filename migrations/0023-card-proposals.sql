-- Story cards that the model proposes. Off in stories that are older than this: NULL.
ALTER TABLE adventures ADD COLUMN propose_cards BOOLEAN;
-- Index of the last passage that was looked through for cards; NULL before the first time.
ALTER TABLE adventures ADD COLUMN proposals_cover INTEGER;

-- One waits while `answer` is NULL and its quote stands in the passage at its index. Those that were answered stay, so that
-- they are not proposed again. What has the name of a card is an addition to it.
CREATE TABLE card_proposals (
  id INTEGER NOT NULL PRIMARY KEY,
  adventure_id INTEGER NOT NULL REFERENCES adventures (id) ON DELETE CASCADE,
  passage INTEGER NOT NULL,
  name VARCHAR(200) NOT NULL,
  keys TEXT NOT NULL,
  entry TEXT NOT NULL,
  quote TEXT NOT NULL,
  answer VARCHAR(20)
);
CREATE INDEX card_proposals_by_adventure ON card_proposals (adventure_id, passage);
