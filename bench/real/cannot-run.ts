/** Something outside the project is missing or was asked for wrongly. The message says what, in a sentence. */
export class CannotRun extends Error {}
