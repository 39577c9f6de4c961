import { SERVERS, serverOf } from '../servers/servers.ts'

/** Advice on turning off the API key of a server, recognised by the text of its response. Inglenook has no keys to send. */
export function keyAdvice(response: string): string {
  const known = SERVERS.find(({ key }) => key?.pattern.test(response))
  if (known) return `Inglenook does not store keys. This looks like ${known.name}: ${known.key?.remedy}.`
  const common = COMMON.map(serverOf).map(({ name, key }) => `${name}: ${key?.remedy}`)
  return `Inglenook does not store keys, so turn the key off in the model server. ${common.join('; ')}; llama.cpp or vLLM: start it without --api-key.`
}

/** The servers that most often ask for a key. */
const COMMON = ['tabbyapi', 'lm-studio', 'koboldcpp'] as const
