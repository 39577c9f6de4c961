import { emphasisLength, spansOf } from '../../domain/text/prose-markup.ts'
import { render } from '../jsx/jsx-runtime.ts'
import { emphasized } from './prose.tsx'
import { blockElement, innerElement, proseParts } from './streaming-prose.tsx'

/** An emphasis that more text may close: from its mark to the end of the line. A mark before a space opens none. */
const OPEN_MARK = /\*(?! )|(?<![\p{L}\p{N}_])_(?! )/u

/** Characters after which a mark that is still open is shown as it is. */
const LONGEST_HELD = 1_000

/** A streaming passage as HTML that only grows: nothing that was written changes, so text waits until its emphasis is known. */
export class GrowingProse {
  private readonly read: ReturnType<typeof proseParts>
  /** Ends the open block. */
  private closing = ''
  /** Words of the open block whose emphasis is not known. */
  private held = ''
  /** A letter if one was written last, else '': after a letter no emphasis opens. */
  private behind: 'a' | '' = ''

  constructor(language: string) {
    this.read = proseParts(language)
  }

  add(text: string, isEnd = false): string {
    let html = ''
    for (const { opens, text: part } of this.read(text, isEnd)) {
      if (opens) {
        html += this.words(true)
        this.behind = ''
        const inner = innerElement(opens)
        const [start, end] = halves(render(inner ?? blockElement(opens)))
        html += inner === null ? this.closing + start : end + start
        if (inner === null) this.closing = end
      }
      this.held += part
    }
    return html + this.words(isEnd)
  }

  /** What was held back, and the end of the last block. */
  end(): string {
    const html = this.add('', true) + this.closing
    this.closing = ''
    return html
  }

  private words(isWhole: boolean): string {
    const all = this.behind + this.held
    const known = isWhole || all.length > LONGEST_HELD ? all.length : knownLength(all)
    const [first, ...rest] = spansOf(all.slice(0, known))
    const spans = first ? [{ ...first, text: first.text.slice(this.behind.length) }, ...rest] : []
    this.held = all.slice(known)
    this.behind = /[\p{L}\p{N}_]$/u.test(all.slice(0, known)) ? 'a' : ''
    return render(spans.filter(({ text }) => text !== '').map(emphasized))
  }
}

/** How much of the words of a block looks the same whatever follows. */
function knownLength(words: string): number {
  for (let known = words.lastIndexOf('\n') + 1; ; ) {
    const open = words.slice(known).search(OPEN_MARK)
    if (open < 0) break
    const end = known + open + emphasisLength(words.slice(known + open))
    if (end === known + open || end === words.length) return known + open
    known = end
  }
  return words.length
}

/** An empty element as what is written before its words and after them. */
function halves(element: string): [start: string, end: string] {
  const end = element.search('</')
  return end < 0 ? [element, ''] : [element.slice(0, end), element.slice(end)]
}
