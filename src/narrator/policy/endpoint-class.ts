import { StoryError } from '../../domain/errors.ts'
import { addressClass } from './addresses.ts'
import { hostOf } from './endpoint-url.ts'
import { checkEndpoint } from './policy.ts'

/** Which network an endpoint is in, as far as its address tells; or why it is refused. */
type EndpointClass = { kind: 'inside'; host: string; class: string } | { kind: 'refused'; why: string }

/** Classifies an endpoint without any network access, not even a DNS look-up. */
export async function endpointClass(url: string): Promise<EndpointClass> {
  try {
    const checked = await checkEndpoint(url, async () => [])
    return { kind: 'inside', host: hostOf({ url }), class: addressClass(checked.addresses[0]) ?? '' }
  } catch (error) {
    if (!(error instanceof StoryError)) throw error
    if (error.more.reason !== 'unresolved') return { kind: 'refused', why: error.message }
    return { kind: 'inside', host: hostOf({ url }), class: 'a name that is looked up on every turn' }
  }
}
