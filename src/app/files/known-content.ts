import type { Reader } from '../../db/database.ts'
import { listTexts } from '../../db/tables/actions/passages.ts'
import { listDuplicates } from '../../db/tables/adventure-list.ts'
import { getScenario, listSameName } from '../../db/tables/scenarios.ts'
import { listCards } from '../../db/tables/story-cards.ts'
import { contentOfCard } from '../../domain/cards/compare-cards.ts'
import type { PortableActions, PortableAdventure, PortableScenario } from '../../domain/portable/portable.ts'
import { PLOT_FIELDS } from '../../domain/scenario.ts'
import { hashOf } from '../../lib/hash.ts'

/** The content of a library, and of earlier files of the same import. */
export class KnownContent {
  private readonly seen = new Set<string>()

  constructor(private readonly reader: Reader) {}

  /** Compares texts and cards. The picture does not count, because covers are scaled. */
  hasScenario(scenario: PortableScenario): boolean {
    return this.wasSeen(contentOf(scenario)) || this.twinOf(scenario) !== null
  }

  /** The scenario of the library with the same texts and cards. */
  twinOf(scenario: PortableScenario): { scenario_id: number } | null {
    const content = contentOf(scenario)
    const id = listSameName(this.reader, scenario.title).find((scenario_id) => {
      const story_cards = listCards(this.reader, { scenario_id })
      return contentOf({ ...getScenario(this.reader, scenario_id), story_cards }) === content
    })
    return id === undefined ? null : { scenario_id: id }
  }

  /** Compares titles and passages. */
  hasAdventure({ title, actions }: PortableAdventure<PortableActions>): boolean {
    const twins = listDuplicates(this.reader, title, actions.length)
    const isInMemory = Array.isArray(actions)
    if (twins.length === 0 && !isInMemory) return false
    const content = textsHash(actions)
    const isSeen = isInMemory && this.wasSeen(`${title}\n${content}`)
    return isSeen || twins.some((id) => textsHash(listTexts(this.reader, id)) === content)
  }

  private wasSeen(content: string): boolean {
    const known = this.seen.has(content)
    this.seen.add(content)
    return known
  }
}

function contentOf({ story_cards, ...scenario }: Omit<PortableScenario, 'image' | 'icon'>): string {
  const { title, description, prompt, greetings, tags, stat_schema } = scenario
  const cards = story_cards.map((card) => [contentOfCard(card), card.notes])
  const texts = [
    title,
    description,
    prompt,
    ...PLOT_FIELDS.map((field) => scenario[field]),
    tags,
    ...greetings,
  ]
  return hashOf(JSON.stringify([texts, stat_schema, cards]))
}

function textsHash(passages: Iterable<{ text: string }>): string {
  const hashes: string[] = []
  for (const { text } of passages) if (text.trim() !== '') hashes.push(hashOf(text))
  return hashOf(hashes.join())
}
