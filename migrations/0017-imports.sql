-- Set while a file is being imported: the story or scenario is incomplete and not shown yet. A start deletes what an
-- interrupted import left.
ALTER TABLE adventures ADD COLUMN importing INTEGER;
ALTER TABLE scenarios ADD COLUMN importing INTEGER;
CREATE INDEX adventures_importing ON adventures (importing);
CREATE INDEX scenarios_importing ON scenarios (importing);
