import { parseJson } from '../../lib/json.ts'
import { serverMessage } from '../error-sentences.ts'

// Refusals that another form of the request avoids, recognised by the wording of the error.

export function unknownFields(status: number, body: string, sent: readonly string[]): string[] {
  if (status !== 400 && status !== 422) return []
  const text = withoutInput(body)
  return REJECTED.test(text) ? sent.filter((name) => isNamed(name, text)) : []
}

const REJECTED =
  /unknown|unexpected|unrecogni[sz]ed|unsupported|extra[ _](inputs|fields|forbidden)|(not|n't) (currently )?(be )?(allow|permit|recogni[sz]|support)/i

// A model without `think` is reported as one that does not support thinking (Ollama).
function isNamed(name: string, text: string): boolean {
  return new RegExp(`(?<!\\w)${RegExp.escape(name)}(ing)?(?!\\w)`).test(text)
}

// Some servers repeat the request, and the story in it may contain any of these words.
function withoutInput(body: string): string {
  const json = parseJson(body)
  return json === undefined
    ? body
    : JSON.stringify(json, (key, value) => (key === 'input' ? undefined : value))
}

// llama.cpp reports an unusable schema as "failed to parse grammar", "Failed to initialize samplers" or "Unable
// to generate parser for this template". Another schema may work, so the next call has one again.
export function refusesSchema(status: number, body: string): boolean {
  return (
    status >= 400 &&
    status !== 404 &&
    /schema|grammar|sampler|response_format|generate parser/i.test(serverMessage(body))
  )
}

export function refusesStreaming(status: number, body: string): boolean {
  return (
    status >= 400 &&
    status < 500 &&
    /stream/i.test(body) &&
    /not (yet )?(supported|implemented)|unsupported/i.test(body)
  )
}

/** True for a chat template without a system role. Source: the templates of Gemma and early Mistral. */
export function refusesSystem(status: number, body: string): boolean {
  return (
    status >= 400 &&
    /system role (is )?not supported|only user and assistant roles|roles must alternate user\/assistant/i.test(
      body,
    )
  )
}
