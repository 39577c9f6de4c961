import type { Lane } from '../../domain/family/branch-map.ts'
import type { ProseLanguage } from '../../domain/text/language.ts'
import type { TextBlock } from '../../domain/text/prose-markup.ts'
import { typographic } from '../../domain/text/typography.ts'
import { withoutControlCharacters } from './control-characters.ts'
import { type BookOptions, type BookPassage, passagesOf } from './passages.ts'

/** A chapter begins with the action at this index, or the next one that the book has. */
export interface BookChapter {
  index: number
  name: string
  /** The passage begins with its name as a heading, which the book shows as that of the chapter. */
  isHeading: boolean
  /** The branch that begins here, in a book of all branches; `origin` says in words where it left which other one. */
  branch?: { lane: Lane; origin: string }
}

/** The chapters of a book, with the marks of its language: those in its range, and the one in which that begins. */
export function chaptersIn(
  chapters: readonly BookChapter[],
  { from, to }: BookOptions,
  { marks }: ProseLanguage,
): BookChapter[] {
  const first = chapters.findLastIndex(({ index }) => index <= from)
  return chapters
    .slice(Math.max(0, first))
    .filter(({ index }) => index <= to)
    .map(({ name, ...chapter }) => ({
      ...chapter,
      name: typographic(withoutControlCharacters(name), marks).trim(),
    }))
}

interface HeadedPassage {
  chapter: BookChapter | null
  /** Null where it is no more than the heading of the chapter. */
  passage: BookPassage | null
}

/** The passages of a book with their chapters, whose headings they no longer hold. */
export function* headedPassages(
  adventure: Parameters<typeof passagesOf>[0],
  options: BookOptions,
  { language, chapters }: { language: ProseLanguage; chapters: readonly BookChapter[] },
): Generator<HeadedPassage> {
  let next = 0
  for (const passage of passagesOf(adventure, options, language)) {
    const from = next
    while ((chapters[next]?.index ?? Number.POSITIVE_INFINITY) <= passage.index) next++
    yield* emptyBranches(chapters.slice(from, next - 1))
    const chapter = next > from ? (chapters[next - 1] ?? null) : null
    const isHeaded = chapter?.isHeading === true && chapter.index === passage.index
    yield { chapter, passage: isHeaded ? withoutHeading(passage) : passage }
  }
  yield* emptyBranches(chapters.slice(next))
}

/** Branches that have nothing to show are in the book, for the map has them. */
function emptyBranches(chapters: readonly BookChapter[]): HeadedPassage[] {
  return chapters.filter(({ branch }) => branch).map((chapter) => ({ chapter, passage: null }))
}

/** The lanes of the branches in a book; [] in a book of one. */
export function lanesIn(chapters: readonly BookChapter[]): Lane[] {
  return chapters.flatMap(({ branch }) => (branch ? [branch.lane] : []))
}

function withoutHeading(passage: BookPassage): BookPassage | null {
  const versions = passage.versions
    .map((version) => (version.isLive ? { ...version, blocks: afterHeading(version.blocks) } : version))
    .filter(({ blocks, changes }) => blocks.length > 0 || changes.length > 0)
  return versions.length === 0 ? null : { ...passage, versions }
}

function afterHeading(blocks: TextBlock[]): TextBlock[] {
  return blocks[0]?.kind === 'heading' ? blocks.slice(1) : blocks
}
