import type { RecordedRequest, Step } from './endpoint.ts'

/** Whether a request asks for the stat changes of a passage alone. */
export function isSecondCall({ body }: RecordedRequest): boolean {
  return body?.messages?.at(-1)?.content.startsWith('[Before the story goes on') ?? false
}

/** Answers the request for stat changes with `second`, every other with `first`. */
export function withSecondCall(first: Step, second: Step): Step {
  return (exchange) => (isSecondCall(exchange.request) ? second : first)(exchange)
}
