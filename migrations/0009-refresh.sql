-- What a refresh and a copy of a story need.

-- 1 once the cards of a story were matched with those of its scenario: from then on their references count, never their
-- names. The earlier release began to keep answers and references at the same time.
ALTER TABLE adventures ADD COLUMN cards_adopted INTEGER NOT NULL DEFAULT 0;
UPDATE adventures SET cards_adopted = 1
 WHERE coalesce(placeholders, 'null') <> 'null'
    OR id IN (SELECT adventure_id FROM story_cards WHERE source_ref IS NOT NULL AND adventure_id IS NOT NULL);

-- Where the numbers of a story begin anew for a reason. `since` is the index of what was the newest action then.
CREATE TABLE world_breaks (
  adventure_id INTEGER NOT NULL REFERENCES adventures (id) ON DELETE CASCADE,
  since INTEGER NOT NULL,
  what TEXT NOT NULL
);
CREATE INDEX world_breaks_by_adventure ON world_breaks (adventure_id, since);
