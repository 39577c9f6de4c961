-- More openings of a scenario, of which a player chooses one: a JSON list of texts. NULL for none.
ALTER TABLE scenarios ADD COLUMN greetings TEXT;
