// How long autosaving and drafts wait.

/** Milliseconds between the last key and saving what was typed. */
export const DEBOUNCE = 500
