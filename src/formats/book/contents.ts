import type { BookChapter } from './chapters.ts'
import { element, type XmlMarkup } from './xml.ts'

/** A chapter with those inside it: the chapters of a branch, and the branches that left it. */
interface ContentsItem<Chapter> {
  chapter: Chapter
  inner: ContentsItem<Chapter>[]
}

/** The chapters of a book as a tree. Without branches it is a list. */
export function contentsOf<Chapter extends BookChapter>(
  chapters: readonly Chapter[],
): ContentsItem<Chapter>[] {
  const all: ContentsItem<Chapter>[] = []
  let open = [{ depth: -1, inner: all }]
  let branchDepth = -1
  for (const chapter of chapters) {
    if (chapter.branch) branchDepth = chapter.branch.lane.depth
    const depth = chapter.branch ? branchDepth : branchDepth + 1
    open = open.filter((one) => one.depth < depth)
    const item = { chapter, inner: [] }
    open.at(-1)?.inner.push(item)
    open.push({ depth, inner: item.inner })
  }
  return all
}

export function contentsList<Chapter extends BookChapter>(
  items: readonly ContentsItem<Chapter>[],
  hrefOf: (chapter: Chapter) => string,
): XmlMarkup[] {
  return items.map(({ chapter, inner }) =>
    element('li', { dir: 'auto' }, [
      element('a', { href: hrefOf(chapter) }, chapter.name),
      inner.length === 0 ? [] : element('ol', {}, contentsList(inner, hrefOf)),
    ]),
  )
}
