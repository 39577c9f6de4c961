import { LIMITS } from '../../domain/limits.ts'
import type { ImportPlan, PortableAdventure, PortableScenario } from '../../domain/portable/portable.ts'
import { EMPTY_SCENARIO, plotOf, UNTITLED_SCENARIO } from '../../domain/scenario.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import { originLine } from '../character-card/character-texts.ts'
import { notePicture } from '../character-card/icon.ts'
import { planOf } from '../format.ts'
import { MAX_ACTIONS } from '../import-limits.ts'
import { pictureUri } from '../shared/cover.ts'
import { emptyAdventure } from '../shared/empty-adventure.ts'
import { Fields } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { ReceiptBuilder } from '../shared/receipt.ts'
import { archiveKeys } from '../zip/archive-keys.ts'
import type { ZipFile } from '../zip/read-zip.ts'
import { type ByafFiles, coverIn, readFiles } from './byaf-files.ts'
import { parseCharacter, parseLore, parseScenarioTexts } from './byaf-texts.ts'
import { parseMessages } from './messages.ts'

/**
 * A character of Backyard in its archive (.byaf, version 1 of its specification). Each of its scenarios is a scenario, and one
 * with messages a story. The receipt lists each file of the archive as a key. Throws import_refused.
 */
export function parseByaf(files: readonly ZipFile[], title: string): ImportPlan {
  const found = readFiles(files)
  const file = new Fields(new ReceiptBuilder(), archiveKeys(files, found.values))
  const cover = coverIn(files, found)
  const image = cover && pictureUri(cover.bytes)
  if (cover) notePicture(file, cover.name, image)
  const shared = parseShared(file.receipt, found, title)
  const parsed = found.scenarios.map((source) =>
    parseScenario(new Fields(file.receipt, source), { ...shared, image: image ?? '' }),
  )
  const isAlone = parsed.length === 1
  const named = parsed.map(({ subtitle, scenario, story }, i) => {
    const own = isAlone ? scenario.title : cutTo(`${scenario.title}: ${subtitle || i + 1}`, LIMITS.name)
    return { scenario: { ...scenario, title: own }, story: story && { ...story, title: own } }
  })
  const plan = planOf('backyard', file, {
    scenarios: named.flatMap(({ scenario, story }) => (story ? [] : [scenario])),
    adventures: named.flatMap(({ scenario, story }) => (story ? [{ ...story, scenario }] : [])),
  })
  return cover && !image ? { ...plan, oversized: cover.bytes } : plan
}

/** The parts that all scenarios of an archive have from its manifest and its character. */
type Shared = Pick<PortableScenario, 'title' | 'description' | 'memory' | 'story_cards' | 'tags' | 'image'>

function parseShared(receipt: ReceiptBuilder, { manifest, character }: ByafFiles, title: string): Shared {
  const head = new Fields(receipt, manifest)
  head.came('File format', 'schemaVersion', '$schema', 'characters', 'scenarios')
  const author = head.child('author')
  const by = author?.text(['name'], 'Description', { limit: LIMITS.name }) ?? ''
  const address = author?.text(['backyardURL'], 'Description', { limit: LIMITS.name }) ?? ''
  const parsed = parseCharacter(new Fields(receipt, character), title || UNTITLED_SCENARIO)
  return {
    ...parsed,
    description: [address, originLine({ creator: by })].filter((text) => !isBlank(text)).join('\n\n'),
    story_cards: parseLore(new Fields(receipt, character), parsed.title),
    image: '',
  }
}

interface ParsedScenario {
  subtitle: string
  scenario: PortableScenario
  /** Null for a scenario that nobody has played. */
  story: PortableAdventure | null
}

function parseScenario(file: Fields, { memory, ...shared }: Shared): ParsedScenario {
  const { subtitle, scene, ...texts } = parseScenarioTexts(file, shared.title)
  const scenario: PortableScenario = {
    ...EMPTY_SCENARIO,
    ...shared,
    ...texts,
    memory: cutTo([memory, scene].filter((text) => text !== '').join('\n\n'), LIMITS.prose),
  }
  const messages = parseMessages(file, { char: shared.title, opening: scenario.prompt })
  if (messages.length > MAX_ACTIONS) throw importRefused(`This chat has more than ${MAX_ACTIONS} messages.`)
  if (messages.length < 2) return { subtitle, scenario, story: null }
  const story: PortableAdventure = {
    ...emptyAdventure(scenario.title),
    ...plotOf((field) => scenario[field]),
    story_cards: scenario.story_cards.map((card, at) => ({ ...card, source_ref: `card:${at}` })),
    actions: messages,
  }
  return { subtitle, scenario, story }
}
