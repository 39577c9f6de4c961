-- The memories of a story that are not forgotten: most of a long story's are.
CREATE INDEX memories_by_forgotten ON memories (adventure_id, forgotten);
