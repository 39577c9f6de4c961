import { describe, expect, test } from 'bun:test'
import type { ImportPlan } from '../../src/domain/portable/portable.ts'
import { makeCards } from '../../src/formats/ai-dungeon/make-cards.ts'
import { WHOLE_STORY } from '../../src/formats/book/passages.ts'
import { makeCharacterJson, makeCharacterPng, makeCharx } from '../../src/formats/character-card/make-card.ts'
import { parseFile } from '../../src/formats/detect.ts'
import { makeEarlierAdventure } from '../../src/formats/earlier-release/make-adventure.ts'
import { makeEarlierScenario } from '../../src/formats/earlier-release/make-scenario.ts'
import { makeAdventure } from '../../src/formats/inglenook/make-adventure.ts'
import { makeScenario } from '../../src/formats/inglenook/make-scenario.ts'
import { makeWorldInfo } from '../../src/formats/lore/make-lore.ts'
import { makeChat } from '../../src/formats/sillytavern-chat/make-chat.ts'
import { pngWith } from '../support/files/card-png.ts'
import { AT } from '../support/files/portable.ts'
import { bytesOf, SAMPLES } from './samples.ts'

const COVER = pngWith([])

type Made = Uint8Array | string
type Part = 'scenarios' | 'adventures' | 'story_cards'
type Plan = Pick<ImportPlan, Part>

/** What we write, by what it holds. A list of cards is one file. */
const EXPORTS: Record<string, { name: string; make: (plan: Plan) => Made[] }> = {}

function exported<P extends Part>(name: string, holds: P, make: (one: ImportPlan[P][number]) => Made) {
  EXPORTS[name] = { name, make: (plan) => plan[holds].map((one) => make(one)) }
}

exported('own.json', 'scenarios', (one) => makeScenario(one, AT))
exported('earlier.json', 'scenarios', makeEarlierScenario)
exported('card.json', 'scenarios', (one) => makeCharacterJson(one, AT))
exported('card.png', 'scenarios', (one) => makeCharacterPng(one, COVER, AT))
exported('card.charx', 'scenarios', (one) => Buffer.concat([...makeCharx(one, COVER, AT)]))
exported('own-story.json', 'adventures', (one) => [...makeAdventure(one, AT)].join(''))
exported('earlier-story.json', 'adventures', (one) => [...makeEarlierAdventure(one)].join(''))
exported('chat.jsonl', 'adventures', (one) => [...makeChat(one, WHOLE_STORY)].join(''))
for (const [name, make] of [
  ['cards.json', (plan: Plan) => JSON.stringify(makeCards(plan.story_cards))],
  ['world-info.json', (plan: Plan) => makeWorldInfo(plan.story_cards)],
] as const)
  EXPORTS[name] = {
    name,
    make: (plan) => (plan.story_cards.length > 0 ? [make(plan)] : []),
  }

const PLANS = SAMPLES.map(({ name, bytes }) => ({ from: name, plan: parseFile(bytes, name) }))

/** Formats in which a name, opening or lone version is made up for what has none, which is done once. */
const SETTLED = new Set(['earlier-story.json', 'chat.jsonl', 'cards.json', 'world-info.json'])

describe('what is written, read and written again is the same', () => {
  for (const { name, make } of Object.values(EXPORTS))
    test(name, () => {
      const again = (made: Made) => make(parseFile(bytesOf(made), name))
      const files = PLANS.flatMap(({ from, plan }) => {
        const made = make(plan)
        return (SETTLED.has(name) ? made.flatMap(again) : made).map((file) => ({ from, file }))
      })
      expect(files.length).toBeGreaterThan(3)
      for (const { from, file } of files)
        expect({ from, files: again(file).map(String) }).toEqual({ from, files: [file.toString()] })
    })
})
