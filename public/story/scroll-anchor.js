// Remembers the line being read by its position in the text, so that changes above it do not move it.

/** Pixels at the top that the story's header covers. */
export const HEAD = 60
/** Marks of Markdown and line ends disappear once a paragraph is complete, so only visible characters count. */
const UNREAD = /[\s*_#]/g
const READ = /[^\s*_#]/

/** Characters measured together, since a line end has no rectangle of its own. */
const SOME = 8

/**
 * The first visible line: its passage, how many characters come before it there, and its distance from the top of the
 * window in pixels. Null if no line of the story is visible.
 */
export function anchorIn(story) {
  // An interrupted reply is no passage.
  const blocks = [...story.querySelectorAll('article .prose > *')]
  // Only the last passage, while it streams, can be hidden.
  const first = firstOf(blocks.length, (i) => {
    const { bottom, height } = blocks[i].getBoundingClientRect()
    return bottom > HEAD || height === 0
  })
  for (const block of blocks.slice(first)) {
    if (!block.checkVisibility() || block.getBoundingClientRect().top > innerHeight) return null
    const letter = firstLetterIn(block)
    if (letter) return anchorAt(letter, block.closest('article'))
  }
  return null
}

function anchorAt({ node, offset }, passage) {
  return {
    passage: passage.id,
    node,
    offset,
    letters: lettersBefore(passage, node, offset),
    top: topOf(node, offset),
  }
}

/** The start of the first fully visible line; null if the block has none. */
function firstLetterIn(block) {
  const texts = textsOf(block)
  const ends = endsOf(texts, ({ length }) => length)
  const all = ends.at(-1) ?? 0
  const spot = (at) => {
    const i = firstOf(ends.length, (k) => ends[k] > at)
    return { node: texts[i], offset: at - (ends[i - 1] ?? 0) }
  }
  const at = firstOf(all, (i) => topOf(spot(i).node, spot(i).offset) >= HEAD)
  if (at === all) return null
  const { node, offset } = spot(at)
  return { node, offset: offset + Math.max(0, node.data.slice(offset).search(READ)) }
}

/** How far the line has moved since, in pixels; null if it is gone. */
export function movedFrom({ passage, node, offset, letters, top }, story) {
  if (node.isConnected) return topOf(node, offset) - top
  const now = document.getElementById(passage) ?? (passage === 'telling' ? lastOf(story) : null)
  const found = now && letterOf(now, letters)
  return found ? topOf(found.node, found.offset) - top : null
}

function lastOf(story) {
  return [...story.querySelectorAll('article')].at(-1)
}

function lettersBefore(passage, node, offset) {
  const range = new Range()
  range.setStart(passage.querySelector('.prose'), 0)
  range.setEnd(node, offset)
  return readIn(range.toString())
}

function letterOf(passage, letters) {
  const prose = passage.querySelector('.prose')
  const texts = prose ? textsOf(prose) : []
  const ends = endsOf(texts, ({ data }) => readIn(data))
  const node = texts[firstOf(ends.length, (i) => ends[i] > letters)]
  if (!node) return null
  const before = ends[texts.indexOf(node)] - readIn(node.data)
  const offset = firstOf(node.length, (i) => readIn(node.data.slice(0, i + 1)) > letters - before)
  return { node, offset }
}

function readIn(text) {
  return text.replace(UNREAD, '').length
}

function textsOf(element) {
  const texts = []
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) texts.push(walker.currentNode)
  return texts
}

/** The running total at the end of each text. */
function endsOf(texts, sizeOf) {
  let end = 0
  return texts.map((text) => (end += sizeOf(text)))
}

function topOf(node, offset) {
  const range = new Range()
  range.setStart(node, offset)
  range.setEnd(node, Math.min(node.length, offset + SOME))
  return (range.getClientRects()[0] ?? node.parentElement.getBoundingClientRect()).top
}

/** Binary search: the first number below `count` that fits, given that all after it fit too; `count` if none does. */
function firstOf(count, fits) {
  let [from, to] = [0, count]
  while (from < to) {
    const middle = (from + to) >> 1
    if (fits(middle)) to = middle
    else from = middle + 1
  }
  return from
}
