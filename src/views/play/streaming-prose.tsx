import type { Span } from '../../domain/text/prose-markup.ts'
import { frame } from '../../http/stream.ts'
import { type Child, render } from '../jsx/jsx-runtime.ts'
import { Paragraphs } from './paragraphs.ts'
import { part } from '../ui/fragment.tsx'
import { emphasized, Prose } from './prose.tsx'

const LAST = '#told > p:last-child'

/**
 * Shows a passage piece by piece as it will look when it is whole, so that no line of it moves then. Emphasis is shown
 * from its first mark on; where it is never closed, its paragraph is put right as soon as that is whole.
 */
export function toldFragments(): (text: string) => string {
  const paragraphs = new Paragraphs()
  let paragraph = new TellingParagraph()
  const fragmentsOf = ({ text, opens }: { text: string; opens: boolean }): string => {
    if (!opens) return paragraph.add(text)
    const putRight = paragraph.end()
    paragraph = new TellingParagraph()
    return putRight + frame(part('#told', 'beforeend', <p />)) + paragraph.add(text)
  }
  return (text) => paragraphs.add(text).map(fragmentsOf).join('')
}

/** Marks, ends of lines, and what stands between them. */
const TOKENS = /\*+|\n|[^*\n]+/g

class TellingParagraph {
  private text = ''
  private readonly shown: Span[] = []
  /** The emphasis that is open: a span that is written on. */
  private open: Span | null = null
  /** Marks at the end of what came: more may follow. */
  private held = ''

  /** Each place in a frame of its own: places are looked up before a frame is put in. */
  add(text: string): string {
    this.text += text
    const tokens = (this.held + text).match(TOKENS) ?? []
    this.held = tokens.at(-1)?.startsWith('*') ? (tokens.pop() ?? '') : ''
    let goesOn = ''
    const added: Span[] = []
    for (const token of tokens) {
      if (token.startsWith('*')) this.open = this.open ? null : spanOf(token)
      else if (this.open?.text) {
        this.open.text += token
        if (!added.includes(this.open)) goesOn += frame(part(placeOf(this.open), 'beforeend', token))
      } else added.push(this.begin(token))
      if (token === '\n') this.open = null
    }
    this.shown.push(...added)
    return goesOn + (added.length > 0 ? frame(part(LAST, 'beforeend', added.map(emphasized))) : '')
  }

  /** What has to be put in its place now that it is whole; '' where it looks right. */
  end(): string {
    const whole: Child = <Prose text={this.text} />
    const shown: Child = <p>{this.shown.map(emphasized)}</p>
    return render(whole) === render(shown) ? '' : frame(part(LAST, 'outerHTML', whole))
  }

  private begin(text: string): Span {
    if (this.open && !(this.open.italic && !this.open.bold && /^\s/.test(text))) {
      this.open.text = text
      return this.open
    }
    const marks = this.open ? '*' : ''
    this.open = null
    return { text: marks + text, bold: false, italic: false }
  }
}

function spanOf({ length }: string): Span {
  return { text: '', bold: length > 1, italic: length !== 2 }
}

function placeOf({ bold, italic }: Span): string {
  return `${LAST} > :last-child${bold && italic ? ' > em' : ''}`
}
