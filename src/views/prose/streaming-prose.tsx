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
 * A streaming passage, rendered as it will look when complete, so that no line moves at the end. Emphasis shows from its
 * opening mark; if it is never closed, its block is corrected as soon as it is complete. The end of the passage shows what
 * waited for more text.
 */
export class StreamingProse {
  private readonly reader: ProseReader
  private readonly typographer: Typographer
  private readonly blocks: { opening: BlockOpening; words: StreamingWords }[] = []

  /** `language` is that of its marks. */
  constructor(language: string) {
    this.reader = new ProseReader(language)
    this.typographer = new Typographer(language)
  }

  /** Adds text. Returns the events that add it to the page. */
  add(text: string, isEnd = false): string {
    const set = this.typographer.add(text) + (isEnd ? this.typographer.end() : '')
    let frames = ''
    for (const { opens, text: part } of [...this.reader.add(set), ...(isEnd ? this.reader.end() : [])]) {
      if (opens) {
        frames += (this.blocks.at(-1)?.words.end() ?? '') + formatEvent(opened(opens))
        this.blocks.push({ opening: opens, words: new StreamingWords(isInner(opens) ? LAST_INNER : LAST) })
      }
      if (part !== '') frames += this.blocks.at(-1)?.words.add(part) ?? ''
    }
    return frames
  }

  /** The passage so far, as the events have made it. */
  soFar(): Child {
    const shown: { opening: BlockOpening; parts: Child[] }[] = []
    for (const { opening, words } of this.blocks) {
      const last = shown.at(-1)
      if (last && goesOn(opening)) last.parts.push(words.soFar())
      else shown.push({ opening, parts: [words.soFar()] })
    }
    return shown.map(({ opening, parts }) => block(opening, parts))
  }
}

/** Whether a block stands in another one: an item in its list, a paragraph in its quote. */
function isInner({ kind }: BlockOpening): boolean {
  return kind === 'item' || kind === 'quote'
}

/** Whether it goes on with a list or a quote. */
function goesOn(opening: BlockOpening): boolean {
  return 'starts' in opening && !opening.starts
}

function opened(opening: BlockOpening): string {
  if (!goesOn(opening)) return fragment('#told', 'beforeend', block(opening, [null]))
  return fragment(LAST, 'beforeend', opening.kind === 'item' ? <li /> : <p />)
}

/** A block; a list or a quote has several parts. */
function block(opening: BlockOpening, parts: Child[]): Child {
  switch (opening.kind) {
    case 'rule':
      return <hr />
    case 'paragraph':
      return <p>{parts}</p>
    case 'heading':
      return <ProseHeading level={opening.level}>{parts}</ProseHeading>
    case 'item':
      return (
        <ProseList first={opening.number}>
          {parts.map((words) => (
            <li>{words}</li>
          ))}
        </ProseList>
      )
    case 'quote':
      return (
        <blockquote>
          {parts.map((words) => (
            <p>{words}</p>
          ))}
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
  private shown: ProseSpan[] = []
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
    const before = render(this.soFar())
    this.shown = spansOf(this.text)
    const whole = this.soFar()
    const isRight = render(whole) === before
    return isRight ? '' : formatEvent(fragment(this.element, 'innerHTML', whole))
  }

  soFar(): Child {
    return this.shown.map(emphasized)
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
