-- Whether memories of a story have vectors of a model: without an index, every memory was read where none has.
CREATE INDEX memories_by_model ON memories (adventure_id, embedding_model) WHERE embedded AND NOT forgotten;
