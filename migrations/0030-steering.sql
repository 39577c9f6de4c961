-- A note to the narrator about the next passage only, until a reply to it is stored. NULL without one.
ALTER TABLE adventures ADD COLUMN steering TEXT;
-- The note that the live attempt of a narration was told with. The other attempts keep theirs in `variants`.
ALTER TABLE actions ADD COLUMN steering TEXT;
