export function printLine(text: string): void {
  console.log(visible(text))
}

export function printProblem(text: string): void {
  console.error(visible(text))
}

export function printError(what: string, error: unknown): void {
  const [first, ...frames] = errorTrace(error).split(/\n(?= +at )/)
  printProblem(`${what}: ${first}`)
  for (const frame of frames) printProblem(frame)
}

/** Stack of an unexpected error, without the text that a parser could not read: it may be story text. */
export function errorTrace(error: unknown): string {
  if (!(error instanceof Error)) return `something of the type ${typeof error}`
  const trace = error.stack ?? `${error.name}: ${error.message}`
  return error instanceof SyntaxError ? trace.replace(error.message, 'a text cannot be parsed') : trace
}

/**
 * Escapes control and formatting characters: in a terminal, names in foreign files could move the cursor, change
 * colors, reverse text or fake lines.
 */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, i) => escapeOf(character.charCodeAt(i))).join(''),
  )
}

function escapeOf(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}
