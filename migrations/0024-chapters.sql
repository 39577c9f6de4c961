-- Passages that begin with the heading of a chapter, so that the contents of a story need not read all of it. A row counts
-- while its passage begins so.
CREATE TABLE chapters (
  action_id INTEGER NOT NULL PRIMARY KEY REFERENCES actions (id) ON DELETE CASCADE,
  adventure_id INTEGER NOT NULL
);
CREATE INDEX chapters_by_adventure ON chapters (adventure_id);
-- In a reply of the model a heading counts once the player has edited it, or where nothing is known of its versions.
INSERT INTO chapters (action_id, adventure_id)
SELECT id, adventure_id FROM actions
 WHERE adventure_id IS NOT NULL AND ltrim(text, char(32, 9, 10, 13)) GLOB '#*'
   AND (type <> 'ai' OR variants IS NULL OR NOT json_valid(variants)
     OR coalesce(json_array_length(variants), 0) = 0
     OR json_extract(variants, '$[' || variant_index || '].edited') = 1);

-- The language of a story as the player chose it, a BCP 47 tag. NULL and '' for the one that its text tells.
ALTER TABLE adventures ADD COLUMN language VARCHAR(35);
