import type { PortableScenario } from '../../domain/portable/portable.ts'
import { makeZip } from '../zip/make-zip.ts'
import { coverPng, makeThirdCard } from './make-card.ts'

/** Where the specification puts the first picture (character-card-spec-v3, "embeded" is its spelling). */
const ICON = 'assets/icon/images/main.png'

/** A scenario as a character card of version 3 in a zip archive, with its picture beside it. `cover` as for a PNG. */
export function makeCharx(
  scenario: PortableScenario,
  cover: Uint8Array | null,
  at: Date,
): Generator<Uint8Array> {
  const { data, ...card } = makeThirdCard(scenario, at)
  const assets = [{ type: 'icon', uri: `embeded://${ICON}`, name: 'main', ext: 'png' }]
  return makeZip([
    {
      name: 'card.json',
      bytes: new TextEncoder().encode(JSON.stringify({ ...card, data: { ...data, assets } })),
    },
    { name: ICON, bytes: coverPng(scenario, cover), stored: true },
  ])
}
