import type { Piece } from '../domain/model/model-request.ts'

const OPEN = ['<think>', '<thinking>']
const CLOSE = ['</think>', '</thinking>']
const LONGEST_TAG = '</thinking>'.length

/**
 * Takes literal thinking tags out of the text of a reply, also where pieces cut them apart. A close tag that none
 * opened says that all text so far was thinking: the template had opened the tag in the prompt.
 */
export class ThinkingSplitter {
  private held = ''
  private thinks = false
  private hasTold = false;

  *push(text: string): Generator<Piece> {
    let rest = this.held + text
    for (let tag = this.firstTag(rest); tag; tag = this.firstTag(rest)) {
      yield* this.tell(rest.slice(0, tag.at))
      if (tag.closes && !this.thinks) yield* this.recast()
      this.thinks = !tag.closes
      rest = rest.slice(tag.end)
    }
    const sure = rest.length - begunTag(rest)
    this.held = rest.slice(sure)
    yield* this.tell(rest.slice(0, sure))
  }

  /** What was held back because it could have become a tag. */
  *finish(): Generator<Piece> {
    yield* this.tell(this.held)
    this.held = ''
  }

  // A second open tag is part of the thought; a second close tag ends what the first one missed.
  private firstTag(text: string): { at: number; end: number; closes: boolean } | null {
    const pattern = this.thinks ? /<(\/)think(?:ing)?>/i : /<(\/?)think(?:ing)?>/i
    const found = pattern.exec(text)
    return found && { at: found.index, end: found.index + found[0].length, closes: found[1] === '/' }
  }

  private *tell(text: string): Generator<Piece> {
    if (text === '') return
    if (!this.thinks) this.hasTold = true
    yield { kind: this.thinks ? 'thinking' : 'text', text }
  }

  private *recast(): Generator<Piece> {
    if (this.hasTold) yield { kind: 'recast' }
    this.hasTold = false
  }
}

function begunTag(text: string): number {
  const at = text.lastIndexOf('<')
  if (at < 0 || text.length - at >= LONGEST_TAG) return 0
  const end = text.slice(at).toLowerCase()
  return [...OPEN, ...CLOSE].some((tag) => tag.startsWith(end)) ? end.length : 0
}
