-- Branches have vectors and search entries of their own. What they shared moves to their rows; the marks tell which passages
-- another program has changed before this migration, and rows without an entry are indexed by the program.
UPDATE passage_vectors SET vector = (SELECT vector FROM shared_passage_vectors shared
    WHERE shared.model = passage_vectors.model AND shared.text_hash = passage_vectors.text_hash)
  WHERE vector = x'' AND (model, text_hash) IN (SELECT model, text_hash FROM shared_passage_vectors);
DELETE FROM shared_passage_vectors;
INSERT OR IGNORE INTO search_indexed (place, mark) SELECT place, mark FROM search_shared;
DELETE FROM search_shared;

-- The index that 0018 replaced: no version that fills it opens this library.
INSERT INTO search_words (search_words) VALUES ('delete-all');
DELETE FROM search_rows;
