/** Where an unforeseen error comes from, for the log: without the text that a parser stumbled over, which may be a story's. */
export function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return `something of the type ${typeof error}`
  const trace = error.stack ?? `${error.name}: ${error.message}`
  return error instanceof SyntaxError ? trace.replace(error.message, 'a text cannot be parsed') : trace
}
