import type { Cut } from '../domain/action.ts'
import type { Piece, Usage } from '../domain/model/model-request.ts'
import type { Block } from '../domain/world/block/delta.ts'
import { Hider } from '../domain/world/hider.ts'
import type { Paths } from '../domain/world/block/path-resolver.ts'
import type { StatusClock } from './turn/status-reporter.ts'
import type { TurnEvents } from './turn-events.ts'

/**
 * Listens to a narrator: shows the prose as it comes and keeps the whole of it. Where something is counted, blocks of
 * changes are taken out on the way, so that neither the page nor the story ever holds one.
 */
export class Hearing {
  /** The prose, as it was shown. */
  text = ''
  /** Everything as the model wrote it. */
  raw = ''
  reasoning = ''
  cut: Cut | null = null
  /** Tokens as the server counted them. */
  usage: Usage | null = null
  private hider: Hider | null

  /** `paths` is null where nothing is counted. */
  constructor(
    private readonly paths: Paths | null,
    private readonly events: TurnEvents,
  ) {
    this.hider = paths && new Hider(paths)
  }

  get blocks(): Block[] {
    return this.hider?.blocks ?? []
  }

  hear(piece: Piece, clock: StatusClock): void {
    switch (piece.kind) {
      case 'phase':
        clock.show(piece.phase, piece)
        break
      case 'thinking':
        clock.show('thinking')
        this.reasoning += piece.text
        this.events.push({ type: 'reasoning', text: piece.text })
        break
      case 'text':
        clock.show('writing')
        this.raw += piece.text
        this.show(this.hider ? this.hider.push(piece.text) : piece.text)
        break
      case 'recast':
        this.reasoning += this.raw
        this.raw = ''
        this.text = ''
        this.hider = this.paths && new Hider(this.paths)
        this.events.push({ type: 'recast' })
        break
      case 'end':
        this.cut = piece.cut
        this.usage = piece.usage
    }
  }

  /** Nothing more will come: shows what was held back. */
  end(): void {
    if (this.hider) this.show(this.hider.end())
  }

  private show(text: string): void {
    if (text === '') return
    this.text += text
    this.events.push({ type: 'chunk', text })
  }
}
