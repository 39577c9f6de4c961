// Where a reader is. What comes in, goes or changes above the line that is being read does not move it.

/** Pixels at the top that the way to the panels covers. */
const HEAD = 60
/** Marks of emphasis are gone once a paragraph is whole, and so are ends of lines: only what is read is counted. */
const UNREAD = /[\s*]/g
const READ = /[^\s*]/

/** Letters at once of which the place is asked: an end of a line has none of its own. */
const SOME = 8

/**
 * The first line in sight: its passage, how many letters of it stand before, and its distance from the top of the window
 * in pixels. Null where no line of the story is in sight.
 */
export function placeIn(story) {
  const blocks = [...story.querySelectorAll('.prose > *')]
  // What is not shown is the passage that is being told, and that is the last.
  const first = firstOf(blocks.length, (i) => {
    const { bottom, height } = blocks[i].getBoundingClientRect()
    return bottom > HEAD || height === 0
  })
  for (const block of blocks.slice(first)) {
    if (!block.checkVisibility() || block.getBoundingClientRect().top > innerHeight) return null
    const letter = firstLetterIn(block)
    if (letter) return placeOf(letter, block.closest('article'))
  }
  return null
}

function placeOf({ node, offset }, passage) {
  return {
    passage: passage.id,
    node,
    offset,
    letters: lettersBefore(passage, node, offset),
    top: topOf(node, offset),
  }
}

/** Where the first line begins that is whole in sight; null where the block has none. */
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

/** How far the line has moved since, in pixels; null where it is no longer told. */
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

/** How much has gone by at the end of each. */
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

/** The first number below `count` that fits, where all after it fit too; `count` if none does. */
function firstOf(count, fits) {
  let [from, to] = [0, count]
  while (from < to) {
    const middle = (from + to) >> 1
    if (fits(middle)) to = middle
    else from = middle + 1
  }
  return from
}
