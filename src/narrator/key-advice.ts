import { SERVERS, serverOf } from './servers/servers.ts'

/** What to do about a server that asks for a key, by what it answered (specification 5, "Authentication"). */
export function keyAdvice(answer: string): string {
  const known = SERVERS.find(({ key }) => key?.sign.test(answer))
  if (known) return `Inglenook keeps no keys. The server looks like ${known.name}: ${known.key?.remedy}.`
  const common = COMMON.map(serverOf).map(({ name, key }) => `${name}: ${key?.remedy}`)
  return `Inglenook keeps no keys, so switch the key off in the model server. ${common.join('; ')}; llama.cpp or vLLM: start it without --api-key.`
}

/** Those that ask for a key most often. */
const COMMON = ['tabbyapi', 'lm-studio', 'koboldcpp'] as const
