import { parseJson } from '../../lib/json.ts'

/** Which of the sent fields an error response rejects as unknown or unsupported. */
export function unknownFields(status: number, body: string, sent: readonly string[]): string[] {
  if (status !== 400 && status !== 422) return []
  const text = withoutInput(body)
  return REJECTED.test(text) ? sent.filter((name) => isNamed(name, text)) : []
}

const REJECTED =
  /unknown|unexpected|unrecogni[sz]ed|unsupported|extra[ _](inputs|fields|forbidden)|(not|n't) (currently )?(be )?(allow|permit|recogni[sz]|support)/i

// When a model cannot take `think`, Ollama says that it does not support thinking.
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
