-- Where memories are embedded; '' for the address of the model.
ALTER TABLE settings ADD COLUMN embedding_endpoint_url VARCHAR(500) NOT NULL DEFAULT '';
