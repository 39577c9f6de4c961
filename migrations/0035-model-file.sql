-- A model file on this machine, which the engine loads; '' for the model server or the practice narrator.
ALTER TABLE settings ADD COLUMN model_file TEXT NOT NULL DEFAULT '';
