/** How a model server is known by its answer, and the setting there that makes it ask for no key. */
interface ServerSign {
  name: string
  sign: RegExp
  remedy: string
}

const SERVERS: readonly ServerSign[] = [
  {
    name: 'TabbyAPI',
    sign: /tabby|please provide an api key/i,
    remedy: 'set disable_auth: true in its config.yml',
  },
  {
    name: 'LM Studio',
    sign: /lm[ -]?studio/i,
    remedy: 'switch "Require Authentication" off in its server settings',
  },
  { name: 'KoboldCpp', sign: /kobold|authentication key is missing/i, remedy: 'start it without --password' },
  {
    name: 'LocalAI',
    sign: /local-?ai|an authentication key is required/i,
    remedy: 'start it without LOCALAI_API_KEY',
  },
  {
    name: 'Jan',
    sign: /\bjan\b/i,
    remedy: 'clear the API key of its local server, or use its llama.cpp engine',
  },
  { name: 'vLLM', sign: /vllm/i, remedy: 'start it without --api-key and VLLM_API_KEY' },
  { name: 'llama.cpp', sign: /llama[.-]?cpp|authentication_error/i, remedy: 'start it without --api-key' },
  {
    name: 'text-generation-webui',
    sign: /text-generation-webui|oobabooga/i,
    remedy: 'start it without --api-key',
  },
  { name: 'Ollama', sign: /ollama/i, remedy: 'take away the proxy in front of it that asks for a key' },
]

/** What to do about a server that asks for a key, by what it answered (specification 5, "Authentication"). */
export function keyAdvice(answer: string): string {
  const known = SERVERS.find(({ sign }) => sign.test(answer))
  if (known) return `Inglenook keeps no keys. The server looks like ${known.name}: ${known.remedy}.`
  const common = SERVERS.slice(0, 3).map(({ name, remedy }) => `${name}: ${remedy}`)
  return `Inglenook keeps no keys, so switch the key off in the model server. ${common.join('; ')}; llama.cpp or vLLM: start it without --api-key.`
}
