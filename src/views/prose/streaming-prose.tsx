import { type ProseSpan, spansOf } from '../../domain/text/prose-markup.ts'
import { type BlockOpening, ProseReader } from '../../domain/text/prose-reader.ts'
import { Typographer } from '../../domain/text/typography.ts'
import { formatEvent } from '../../http/stream.ts'
import { type Child, render } from '../jsx/jsx-runtime.ts'
import { fragment } from '../ui/fragment.tsx'
import { emphasized, ProseHeading, ProseList } from './prose.tsx'

const LAST = '#told > :last-child'
const LAST_INNER = `${LAST} > :last-child`

/**
 * Renders a streaming passage as it will look when complete, so that no line moves at the end. Emphasis shows from its
 * opening mark; if it is never closed, its block is corrected as soon as it is complete. The end of the passage shows what
 * waited for more text.
 */
export function proseFragments(language: string): (text: string, isEnd?: boolean) => string {
  const read = proseParts(language)
  let words: StreamingWords | null = null
  return (text, isEnd = false) => {
    let frames = ''
    for (const { opens, text: part } of read(text, isEnd)) {
      if (opens) {
        frames += (words?.end() ?? '') + formatEvent(opened(opens))
        words = new StreamingWords(isInner(opens) ? LAST_INNER : LAST)
      }
      if (part !== '') frames += words?.add(part) ?? ''
    }
    return frames
  }
}

/** The blocks of a streaming passage, with the marks of a language. */
export function proseParts(language: string) {
  const reader = new ProseReader(language)
  const typographer = new Typographer(language)
  return (text: string, isEnd: boolean) => {
    const set = typographer.add(text) + (isEnd ? typographer.end() : '')
    return [...reader.add(set), ...(isEnd ? reader.end() : [])]
  }
}

/** Whether a block stands in another one: an item in its list, a paragraph in its quote. */
function isInner({ kind }: BlockOpening): boolean {
  return kind === 'item' || kind === 'quote'
}

function opened(opening: BlockOpening): string {
  const goesOn = innerElement(opening)
  return goesOn ? fragment(LAST, 'beforeend', goesOn) : fragment('#told', 'beforeend', blockElement(opening))
}

/** The element of what goes on with a list or a quote; null for what begins a block. */
export function innerElement(opening: BlockOpening): Child {
  if (!('starts' in opening) || opening.starts) return null
  return opening.kind === 'item' ? <li /> : <p />
}

/** The empty element of a block, down to where its words go. */
export function blockElement(opening: BlockOpening): Child {
  switch (opening.kind) {
    case 'rule':
      return <hr />
    case 'paragraph':
      return <p />
    case 'heading':
      return <ProseHeading level={opening.level} />
    case 'item':
      return (
        <ProseList first={opening.number}>
          <li />
        </ProseList>
      )
    case 'quote':
      return (
        <blockquote>
          <p />
        </blockquote>
      )
  }
}

/** Emphasis marks, line ends, and the text between them. */
const TOKENS = /\*+|\n|[^*\n]+/g

/** The words of the last block. */
class StreamingWords {
  /** The selector of their element. */
  private readonly element: string
  private text = ''
  private readonly shown: ProseSpan[] = []
  /** The open emphasis: the span that text is appended to. */
  private open: ProseSpan | null = null
  /** Marks at the end of the text so far: more may follow. */
  private held = ''

  constructor(element: string) {
    this.element = element
  }

  /** One frame per target: htmx looks up all targets of a frame before it swaps any. */
  add(text: string): string {
    this.text += text
    const tokens = (this.held + text).match(TOKENS) ?? []
    this.held = tokens.at(-1)?.startsWith('*') ? (tokens.pop() ?? '') : ''
    let appended = ''
    const added: ProseSpan[] = []
    for (const token of tokens) {
      if (token.startsWith('*'))
        this.open = this.open ? null : { text: '', bold: token.length > 1, italic: token.length !== 2 }
      else if (this.open?.text) {
        this.open.text += token
        if (!added.includes(this.open))
          appended += formatEvent(fragment(this.selectorOf(this.open), 'beforeend', token))
      } else added.push(this.begin(token))
      if (token === '\n') this.open = null
    }
    this.shown.push(...added)
    return (
      appended +
      (added.length > 0 ? formatEvent(fragment(this.element, 'beforeend', added.map(emphasized))) : '')
    )
  }

  /** The words corrected, now that all are there; '' if they already look right. */
  end(): string {
    const whole: Child = spansOf(this.text).map(emphasized)
    const isRight = render(whole) === render(this.shown.map(emphasized))
    return isRight ? '' : formatEvent(fragment(this.element, 'innerHTML', whole))
  }

  private begin(text: string): ProseSpan {
    if (this.open && !(this.open.italic && !this.open.bold && /^\s/.test(text))) {
      this.open.text = text
      return this.open
    }
    const marks = this.open ? '*' : ''
    this.open = null
    return { text: marks + text, bold: false, italic: false }
  }

  private selectorOf({ bold, italic }: ProseSpan): string {
    return `${this.element} > :last-child${bold && italic ? ' > em' : ''}`
  }
}
