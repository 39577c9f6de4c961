-- What a memory says is no longer so: memories and passages before it that tell that are past. Empty for most.
ALTER TABLE memories ADD COLUMN no_longer TEXT NOT NULL DEFAULT '';
CREATE INDEX memories_no_longer ON memories (adventure_id, no_longer);
