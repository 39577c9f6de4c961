-- Says in how many rows of the search index a word stands: recall looks for rare words first. Holds nothing of its own.
CREATE VIRTUAL TABLE search_word_counts USING fts5vocab(search_index, row);
