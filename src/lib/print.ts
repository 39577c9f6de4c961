export function printLine(text: string): void {
  console.log(visible(text))
}

/** Prints one line about something that went wrong. */
export function printProblem(text: string): void {
  console.error(visible(text))
}

/** Prints where an unforeseen error comes from, after `what` failed. */
export function printError(what: string, error: unknown): void {
  const [first, ...places] = errorTrace(error).split(/\n(?= +at )/)
  printProblem(`${what}: ${first}`)
  for (const place of places) printProblem(place)
}

/** Where an unforeseen error comes from: without the text that a parser stumbled over, which may be a story's. */
export function errorTrace(error: unknown): string {
  if (!(error instanceof Error)) return `something of the type ${typeof error}`
  const trace = error.stack ?? `${error.name}: ${error.message}`
  return error instanceof SyntaxError ? trace.replace(error.message, 'a text cannot be parsed') : trace
}

/**
 * A text with its control and formatting characters as `\u001b`. Names in foreign files may contain them, and a terminal
 * would obey: it would move the cursor, change a color, reverse the text or begin another line.
 */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, i) => escapeOf(character.charCodeAt(i))).join(''),
  )
}

function escapeOf(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}
