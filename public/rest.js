/** Milliseconds after the last key before what was typed is kept. */
export const REST = 500
