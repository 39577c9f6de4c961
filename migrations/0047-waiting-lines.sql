-- What waits at the end of a story, in one row: what is typed and not sent, the line that was sent last, and a reply that broke off.
-- It replaces drafts, interrupted_replies and adventures.steering, which stay without content. Rows of no story stay there: the doctor
-- lists them.
CREATE TABLE waiting_lines (
  -- Of the adventure.
  id INTEGER NOT NULL PRIMARY KEY REFERENCES adventures (id) ON DELETE CASCADE,
  -- What is typed, and the note about the next passage.
  type TEXT NOT NULL DEFAULT 'do',
  text TEXT NOT NULL DEFAULT '',
  steering TEXT NOT NULL DEFAULT '',
  -- The hash of the form whose line was stored last; '' if it was undone, or came another way.
  sent TEXT NOT NULL DEFAULT '',
  -- The reply that broke off, as a stopped turn stores it, with its prompt; NULL without one.
  reply JSON,
  -- Its prose, as it was shown.
  prose TEXT NOT NULL DEFAULT '',
  -- Whether it is another version of the newest action.
  retry INTEGER NOT NULL DEFAULT 0,
  -- The sentence that says why it broke off.
  reason TEXT NOT NULL DEFAULT '',
  -- The hash of the newest action: the reply counts while the story ends so.
  story_end TEXT NOT NULL DEFAULT ''
);

INSERT INTO waiting_lines (id, type, text, steering, reply, prose, retry, story_end)
  SELECT adventures.id, coalesce(drafts.type, 'do'), coalesce(drafts.text, ''), coalesce(steering, ''), reply,
      coalesce(interrupted_replies.text, ''), coalesce(retry, 0), coalesce(story_end, '')
    FROM adventures
    LEFT JOIN drafts ON drafts.adventure_id = adventures.id
    LEFT JOIN interrupted_replies ON interrupted_replies.adventure_id = adventures.id
   WHERE drafts.type IS NOT NULL OR steering IS NOT NULL OR reply IS NOT NULL;
DELETE FROM drafts WHERE adventure_id IN (SELECT id FROM waiting_lines);
DELETE FROM interrupted_replies WHERE adventure_id IN (SELECT id FROM waiting_lines);
UPDATE adventures SET steering = NULL WHERE steering IS NOT NULL;
