-- The branches of one story: adventures with the same number. NULL for a story without branches.
ALTER TABLE adventures ADD COLUMN family INTEGER;
-- The adventure that a branch was made from, which may have been deleted since, and the index of the last action that it shares
-- with it; -1 if it shares none. NULL for the first one of a family.
ALTER TABLE adventures ADD COLUMN branched_from INTEGER;
ALTER TABLE adventures ADD COLUMN branched_at INTEGER;
-- What the player calls a branch, and its colour on the map.
ALTER TABLE adventures ADD COLUMN branch_name TEXT;
ALTER TABLE adventures ADD COLUMN branch_color INTEGER;
-- 1 on the main branch of a family.
ALTER TABLE adventures ADD COLUMN main_branch INTEGER;
CREATE INDEX adventures_family ON adventures (family);
