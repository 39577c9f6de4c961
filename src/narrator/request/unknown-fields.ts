import { parseJson } from '../json.ts'

/** Which of the fields that we sent a refusal says the server does not know or take; none where it says something else. */
export function unknownFields(status: number, body: string, sent: readonly string[]): string[] {
  if (status !== 400 && status !== 422) return []
  const said = withoutInput(body)
  return REFUSED.test(said) ? sent.filter((name) => isNamed(name, said)) : []
}

const REFUSED =
  /unknown|unexpected|unrecogni[sz]ed|unsupported|extra[ _](inputs|fields|forbidden)|(not|n't) (currently )?(be )?(allow|permit|recogni[sz]|support)/i

// Ollama says of a model that gets `think` that it does not support thinking.
function isNamed(name: string, text: string): boolean {
  return new RegExp(`(?<!\\w)${RegExp.escape(name)}(ing)?(?!\\w)`).test(text)
}

// Some servers repeat what they were sent, and with it the story, in which any word may stand.
function withoutInput(body: string): string {
  const json = parseJson(body)
  return json === undefined
    ? body
    : JSON.stringify(json, (key, value) => (key === 'input' ? undefined : value))
}
