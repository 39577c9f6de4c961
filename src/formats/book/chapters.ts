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
}

/** The chapters of a book, with the marks of its language: those in its range, and the one in which that begins. */
export function chaptersIn(
  chapters: readonly BookChapter[],
  { from, to, typography }: BookOptions,
  language: string,
): BookChapter[] {
  const first = chapters.findLastIndex(({ index }) => index <= from)
  return chapters
    .slice(Math.max(0, first))
    .filter(({ index }) => index <= to)
    .map(({ name, ...chapter }) => ({
      ...chapter,
      name: typographic(withoutControlCharacters(name), typography ? language : 'und').trim(),
    }))
}

/** A passage, and the chapter that begins with it. */
interface HeadedPassage {
  chapter: BookChapter | null
  /** Null where it is no more than the heading of the chapter. */
  passage: BookPassage | null
}

/** The passages of a book with their chapters, whose headings they no longer hold. */
export function* headedPassages(
  adventure: Parameters<typeof passagesOf>[0],
  options: BookOptions,
  { language, chapters }: { language: string; chapters: readonly BookChapter[] },
): Generator<HeadedPassage> {
  let next = 0
  for (const passage of passagesOf(adventure, options, language)) {
    const from = next
    while ((chapters[next]?.index ?? Number.POSITIVE_INFINITY) <= passage.index) next++
    const chapter = next > from ? (chapters[next - 1] ?? null) : null
    const isHeaded = chapter?.isHeading === true && chapter.index === passage.index
    yield { chapter, passage: isHeaded ? withoutHeading(passage) : passage }
  }
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
