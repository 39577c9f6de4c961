import { StoryError } from '../domain/errors.ts'
import { classOf } from './addresses.ts'
import { hostOf, judge } from './policy.ts'

/** Where an address of an endpoint leads, as far as it tells by itself; or the sentence by which it is refused. */
export type EndpointClass = { kind: 'inside'; host: string; class: string } | { kind: 'refused'; why: string }

/** Judges an address of an endpoint and asks nobody, not even what a name stands for. */
export async function endpointClass(url: string): Promise<EndpointClass> {
  try {
    const checked = await judge(url, async () => [])
    return { kind: 'inside', host: hostOf({ url }), class: classOf(checked.addresses[0]) ?? '' }
  } catch (error) {
    if (!(error instanceof StoryError)) throw error
    if (error.more.reason !== 'unresolved') return { kind: 'refused', why: error.message }
    return { kind: 'inside', host: hostOf({ url }), class: 'a name that is looked up at each turn' }
  }
}
