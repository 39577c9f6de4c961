import { LIMITS } from '../../domain/limits.ts'
import type { ImportPlan, PortableAction, PortableScenario } from '../../domain/portable/portable.ts'
import { EMPTY_SCENARIO } from '../../domain/scenario.ts'
import { isObject } from '../../lib/objects.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import { isCardText, jsonInText, keysOf } from '../character-card/parse-card.ts'
import { type FileFields, type Format, planOf, rootFields } from '../format.ts'
import { MAX_ACTIONS } from '../import-limits.ts'
import { parseTexts } from '../picture/png-text.ts'
import { makeAction, withOpening } from '../shared/actions.ts'
import { emptyAdventure } from '../shared/empty-adventure.ts'
import { Fields } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { ReceiptBuilder } from '../shared/receipt.ts'
import { type Author, partsOfDocument, type WrittenPart } from './document.ts'
import { parseEntries } from './entries.ts'

const isNumber = (value: unknown) => typeof value === 'number'

export const novelaiLorebook: Format = {
  kind: 'novelai-lorebook',
  matches: (file) => isObject(file) && isNumber(file.lorebookVersion) && Array.isArray(file.entries),
  parse: (source) => {
    const file = rootFields(source)
    return lorebookPlan(file, file)
  },
}

/** The plan of a file that is a lorebook, or holds one. Throws import_refused. */
function lorebookPlan(file: FileFields, book: Fields): ImportPlan {
  const story_cards = parseEntries(book)
  if (story_cards.length === 0) throw importRefused('This lorebook has no entry with text.')
  return planOf('novelai-lorebook', file, { story_cards })
}

export const novelaiScenario: Format = {
  kind: 'novelai-scenario',
  matches: (file) => isObject(file) && isNumber(file.scenarioVersion) && typeof file.prompt === 'string',
  parse: (source, title) => {
    const file = rootFields(source)
    file.came('File format', 'scenarioVersion')
    file.changed('Placeholders, without their explanations and defaults', 'placeholders')
    const author = file.text(['author'], 'Description', { limit: LIMITS.name })
    const description = file.text(['description'], 'Description', { limit: LIMITS.prose - 500 })
    const scenario = {
      ...plotOf(file),
      title: file.text(['title'], 'Title', { limit: LIMITS.name }) || title,
      description: [description, isBlank(author) ? '' : `by ${author}`]
        .filter((one) => !isBlank(one))
        .join('\n\n'),
      prompt: plainQuestions(file.text(['prompt'], 'Opening')),
      tags: file.tags(),
    }
    return planOf('novelai-scenario', file, { scenarios: [scenario] })
  },
}

/** A .story of NovelAI. One without a text that can be read is a scenario. */
export const novelaiStory: Format = {
  kind: 'novelai-story',
  matches: (file) => isObject(file) && isNumber(file.storyContainerVersion) && isObject(file.content),
  parse: (source, fileTitle) => {
    const file = rootFields(source)
    file.came('File format', 'storyContainerVersion')
    const about = file.child('metadata')
    const title = about?.text(['title'], 'Title', { limit: LIMITS.name }) || fileTitle
    const content = file.child('content')
    if (content === null) throw importRefused('This story of NovelAI has no content.')
    const plot = plotOf(content)
    const actions = actionsIn(content)
    if (actions.length > 0) {
      const story_cards = plot.story_cards.map((card) => ({ ...card, source_ref: null }))
      const { memory, authors_note } = plot
      const adventure = {
        ...emptyAdventure(title),
        memory,
        authors_note,
        story_cards,
        actions: withOpening(actions),
      }
      return planOf('novelai-story', file, { adventures: [adventure] })
    }
    content.left('The text cannot be read: export it as plain text, too', 'document')
    const description = about?.text(['description'], 'Description') ?? ''
    const scenario = { ...plot, title, description, tags: about?.tags() ?? '' }
    return planOf('novelai-story', file, { scenarios: [scenario] })
  },
}

/** The parts that scenarios and stories share: memory, author's note and lorebook. */
function plotOf(file: Fields): PortableScenario {
  const context = file.list(['context'], 'Plot essentials and author’s note', 100) ?? []
  const [memory = '', note = ''] = context.map(({ fields, position }) =>
    position < 2
      ? plainQuestions(fields.text(['text'], position === 0 ? 'Plot essentials' : 'Author’s note'))
      : '',
  )
  const lorebook = file.child('lorebook')
  const story_cards = lorebook ? parseEntries(lorebook) : []
  return { ...EMPTY_SCENARIO, memory, authors_note: note, story_cards }
}

/** The authors of fragments. An edit counts as written by the author of the text before it. */
const ORIGINS: Record<string, Author> = {
  prompt: 'start',
  root: 'start',
  user: 'story',
  ai: 'ai',
}

function actionsIn(content: Fields): PortableAction[] {
  const document = content.source.document
  const parts = typeof document === 'string' ? partsOfDocument(document) : null
  if (parts === null) return passagesOf(partsOfFragments(content))
  content.changed('Text, without what was undone', 'document')
  return passagesOf(parts)
}

/** The text of a story before version 6. */
function partsOfFragments(content: Fields): WrittenPart[] {
  const story = content.child('story')
  const fragments = story?.list(['fragments'], 'Passages', MAX_ACTIONS) ?? []
  // The first stories had their text in one piece beside an empty list of its parts.
  if (fragments.length === 0)
    return [{ author: 'start', text: story?.text(['text'], 'Opening', { limit: Infinity }) ?? '' }]
  return fragments.map(({ fields }) => {
    const text = fields.text(['data'], 'Text', { limit: Infinity })
    const origin = fields.text(['origin'], 'Who wrote it', { limit: LIMITS.name })
    return { author: Object.hasOwn(ORIGINS, origin) ? (ORIGINS[origin] ?? null) : null, text }
  })
}

/** Characters after which a passage ends with its paragraph: a model reads whole passages. */
const LONG_PASSAGE = 2_000

/** Makes one passage of a text that one of them wrote without a break, or several where it is long. */
function passagesOf(parts: readonly WrittenPart[]): PortableAction[] {
  const actions: PortableAction[] = []
  let text = ''
  let writer: Author = 'start'
  const finish = () => {
    if (!isBlank(text)) actions.push(makeAction(typeOf(writer, actions.length === 0), text.trim()))
    text = ''
  }
  for (const part of parts) {
    // There is one opening.
    const author: Author = part.author === 'start' && writer !== 'start' ? 'ai' : (part.author ?? writer)
    if (author !== writer || (text.length >= LONG_PASSAGE && text.endsWith('\n'))) finish()
    writer = author
    text += part.text
  }
  finish()
  return actions
}

/** The first part is the opening, unless the model wrote it. */
function typeOf(writer: Author, isFirst: boolean): Author {
  if (isFirst) return writer === 'ai' ? 'ai' : 'start'
  return writer === 'start' ? 'ai' : writer
}

/** Placeholders without the defaults and explanations in them, and without the table of them at the top. */
function plainQuestions(text: string): string {
  const plain = text
    .replace(/%\{[^{}]*\}\n?/g, '')
    .replace(/\$\{([^[\]{}:$]+)(?:\[[^\]$]*\])?(?::[^}$]*)?\}/g, (_, name: string) => `\${${name.trim()}}`)
  return cutTo(plain, LIMITS.prose)
}

const KEYWORD = 'naidata'

/** The lorebook that NovelAI keeps in a picture; null for any other picture, and for a character. Throws import_refused. */
export function parseLorebookPicture(bytes: Uint8Array): ImportPlan | null {
  const texts = parseTexts(bytes)
  if (texts.some(isCardText)) return null
  const found = texts.find(({ keyword }) => keyword.toLowerCase() === KEYWORD)
  const text = found?.read() ?? null
  const card = text === null ? null : jsonInText(text)
  if (!found || !isObject(card) || !novelaiLorebook.matches(card)) return null
  const file = new Fields(new ReceiptBuilder(), keysOf(texts, { keyword: found.keyword, card }))
  return lorebookPlan(file, new Fields(file.receipt, card))
}
