-- How the player likes to read, and what they mark on the shelf and in a story.

CREATE TABLE preferences (
  name TEXT NOT NULL PRIMARY KEY,
  -- JSON, as it is sent.
  value TEXT NOT NULL
);

-- Where a story stands: open, pinned before the others, or archived out of the way.
ALTER TABLE adventures ADD COLUMN shelf VARCHAR(20) NOT NULL DEFAULT 'open';

-- A passage that is marked. The id of an undone action is given again: a mark counts while the passage is that old.
CREATE TABLE bookmarks (
  action_id INTEGER NOT NULL PRIMARY KEY REFERENCES actions (id) ON DELETE CASCADE,
  adventure_id INTEGER NOT NULL REFERENCES adventures (id) ON DELETE CASCADE,
  action_created_at DATETIME NOT NULL,
  name VARCHAR(200) NOT NULL DEFAULT '',
  created_at DATETIME NOT NULL
);
CREATE INDEX bookmarks_by_adventure ON bookmarks (adventure_id, action_id);
