-- Whether memories of a story have vectors of a model: without an index, every memory was read where none has. Not a partial
-- index, because a file whose indexes compute something is not opened.
CREATE INDEX memories_by_model ON memories (adventure_id, embedding_model);
