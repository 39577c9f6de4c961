import { isObject } from '../../../lib/objects.ts'
import { faultsOf } from '../../world/schema.ts'
import type { StatSchema } from '../../world/state.ts'
import { pick } from './pick.ts'
import type { Reading } from '../../../formats/shared/receipt.ts'

/** The stat schema of a file; null without one. One that cannot be used is refused, with the place of its first fault. */
export function pickSchema(
  reading: Reading,
  holder: Record<string, unknown>,
  keys: readonly string[],
): StatSchema | null {
  const schema = pick(reading, holder, keys, 'What is counted', (value, key) => {
    if (!isObject(value)) return undefined
    const [fault] = faultsOf(value)
    if (fault) {
      const note = `What is counted cannot be used: ${fault.path.slice(1, 100)} ${fault.message}.`
      reading.judge('refused', holder, key, note)
      return null
    }
    reading.judge('taken', holder, key, 'What is counted.')
    return value
  })
  return schema ?? null
}
