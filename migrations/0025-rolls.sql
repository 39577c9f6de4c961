-- What the dice decided about a line of the player, and about the reply to it: its live attempt. NULL without a roll. The
-- other attempts keep theirs in `variants`.
ALTER TABLE actions ADD COLUMN roll JSON;
