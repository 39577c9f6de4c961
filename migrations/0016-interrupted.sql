-- What a turn had told when it broke off, for the player to keep or discard. It counts while the story ends as it did then.
CREATE TABLE interrupted_replies (
  adventure_id INTEGER NOT NULL PRIMARY KEY REFERENCES adventures (id) ON DELETE CASCADE,
  -- The hash of the newest action.
  story_end TEXT NOT NULL,
  -- Whether it is another version of that action.
  retry INTEGER NOT NULL,
  -- The prose, as it was shown.
  text TEXT NOT NULL,
  -- The reply as a stopped turn stores it, with its prompt.
  reply JSON NOT NULL
);
