import { isIP } from 'node:net'
import { outsideNetworkOf } from './addresses.ts'
import { endpointRefused, parseEndpoint, withoutBrackets } from './endpoint-url.ts'

/** Resolves a host name. Throws, or returns none, if the name is unknown. */
export type Resolve = (host: string) => Promise<string[]>

export interface CheckedEndpoint {
  /** No trailing slash, unless the path is empty. */
  url: URL
  addresses: readonly [string, ...string[]]
}

/**
 * Checks an endpoint, resolving its name once: every address must be in an allowed network. Throws endpoint_refused;
 * `reason` is `unresolved` if the name does not resolve.
 */
export async function checkEndpoint(text: string, resolve: Resolve): Promise<CheckedEndpoint> {
  const { url, zone } = parseEndpoint(text)
  const cloud = cloudProviderOf(url.hostname)
  if (cloud) throw endpointRefused(`${url.hostname} belongs to ${cloud}, a cloud service. ${LOCAL_ONLY}`)
  const addresses = await addressesOf(url.hostname, zone, resolve)
  for (const address of addresses) refuseOutside(url.hostname, address)
  return { url, addresses }
}

const LOCAL_ONLY = 'Stories stay on your own network.'

async function addressesOf(hostname: string, zone: string, resolve: Resolve): Promise<[string, ...string[]]> {
  const literal = withoutBrackets(hostname)
  if (isIP(literal) !== 0) return [literal + zone]
  const [first, ...others] = await resolve(hostname).catch((): string[] => [])
  if (first !== undefined) return [first, ...others]
  throw endpointRefused(
    `The name ${hostname} could not be resolved. Turn that machine on, or use its IP address.`,
    'unresolved',
  )
}

function refuseOutside(host: string, address: string): void {
  const outside = outsideNetworkOf(address)
  if (!outside) return
  const resolved = outside.address === withoutBrackets(host) ? '' : ` (${outside.address})`
  throw endpointRefused(`${host} is ${outside.name}${resolved}. ${LOCAL_ONLY}`)
}

// Matched as whole domains or parents of subdomains: "notopenai.com" does not match.
const CLOUDS: Record<string, readonly string[]> = {
  OpenAI: ['openai.com', 'chatgpt.com'],
  Anthropic: ['anthropic.com', 'claude.ai'],
  Google: ['googleapis.com', 'google.com', 'cloud.goog', 'run.app'],
  'Microsoft Azure': [
    'azure.com',
    'azure.net',
    'windows.net',
    'azure-api.net',
    'azurewebsites.net',
    'azure.us',
    'azure.cn',
  ],
  GitHub: ['github.com', 'github.ai', 'githubcopilot.com'],
  'Amazon Web Services': ['amazonaws.com', 'api.aws', 'amazonaws.com.cn'],
  OpenRouter: ['openrouter.ai'],
  Mistral: ['mistral.ai'],
  Groq: ['groq.com'],
  'Together AI': ['together.ai', 'together.xyz'],
  DeepSeek: ['deepseek.com'],
  xAI: ['x.ai'],
  Cohere: ['cohere.com', 'cohere.ai'],
  NovelAI: ['novelai.net'],
  NanoGPT: ['nano-gpt.com'],
  'Hugging Face': ['huggingface.co', 'huggingface.cloud', 'huggingface.tech', 'hf.space'],
  'Fireworks AI': ['fireworks.ai'],
  Perplexity: ['perplexity.ai'],
  Replicate: ['replicate.com'],
  Cerebras: ['cerebras.ai', 'cerebras.net'],
  SambaNova: ['sambanova.ai'],
  DeepInfra: ['deepinfra.com'],
  Hyperbolic: ['hyperbolic.xyz'],
  Novita: ['novita.ai'],
  Featherless: ['featherless.ai'],
  Infermatic: ['totalgpt.ai', 'infermatic.ai'],
  ArliAI: ['arliai.com'],
  Mancer: ['mancer.tech'],
  Chutes: ['chutes.ai'],
  Venice: ['venice.ai'],
  Anyscale: ['anyscale.com'],
  Nebius: ['nebius.com', 'nebius.ai'],
  AI21: ['ai21.com'],
  NVIDIA: ['nvidia.com'],
  Moonshot: ['moonshot.cn', 'moonshot.ai'],
  'Zhipu AI': ['bigmodel.cn', 'z.ai'],
  MiniMax: ['minimax.io', 'minimaxi.com', 'minimax.chat'],
  'Alibaba Cloud': ['aliyuncs.com'],
  SiliconFlow: ['siliconflow.cn', 'siliconflow.com'],
  Volcengine: ['volces.com'],
  Inference: ['inference.net'],
  Cloudflare: ['cloudflare.com', 'workers.dev'],
  Vercel: ['vercel.ai', 'vercel.sh', 'vercel.app'],
  'AI Horde': ['aihorde.net', 'stablehorde.net'],
  'Ollama Cloud': ['ollama.com'],
  RunPod: ['runpod.ai', 'runpod.net'],
  Modal: ['modal.run'],
  Scaleway: ['scaleway.ai', 'scaleway.com'],
  IBM: ['cloud.ibm.com'],
}

const CLOUD_OF = new Map(
  Object.entries(CLOUDS).flatMap(([cloud, names]) => names.map((name) => [name, cloud] as const)),
)

export function cloudProviderOf(host: string): string | null {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.')
  const suffixes = labels.map((_, index) => labels.slice(index).join('.'))
  return suffixes.map((suffix) => CLOUD_OF.get(suffix)).find((cloud) => cloud !== undefined) ?? null
}
