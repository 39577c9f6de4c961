/** Makes a library again as it was before passages and memories had their vectors in one table. */
export const BEFORE_0048 = [
  'INSERT INTO passage_vectors SELECT * FROM text_vectors WHERE id IN (SELECT id FROM actions)',
  'DROP TABLE text_vectors',
  'DROP INDEX memories_by_source_end',
  'DROP INDEX memories_by_pinned',
  "DELETE FROM schema_migrations WHERE name = '0048-text-vectors.sql'",
]
