import type { StateBlock } from '../world/block/delta.ts'
import { Hider } from '../world/block/hider.ts'
import type { PathResolver } from '../world/block/path-resolver.ts'
import { type Echoes, EchoFilter } from './echo-filter.ts'
import { TemplateTokenFilter } from './template-tokens.ts'

/**
 * Keeps everything that is not prose away from the reader: ends the reply at a template token, takes out state blocks, and
 * drops what repeats the prompt.
 */
export class ReplyCleaner {
  private readonly tokens = new TemplateTokenFilter()
  private readonly hider: Hider | null
  private readonly echoes: EchoFilter

  /** `paths` is null in a story without stats. */
  constructor(paths: PathResolver | null, echoes: Echoes) {
    this.hider = paths && new Hider(paths)
    this.echoes = new EchoFilter(echoes)
  }

  /** Whether nothing that follows can be prose. */
  get isEnded(): boolean {
    return this.tokens.isEnded || this.echoes.isEnded
  }

  /** Whether more than state blocks was left out. */
  get hasCleaned(): boolean {
    return this.tokens.dropped || this.echoes.dropped
  }

  get blocks(): StateBlock[] {
    return this.hider?.blocks ?? []
  }

  /** Takes the next piece of the reply; returns the prose that can be shown now. */
  push(piece: string): string {
    return this.show(this.tokens.push(piece))
  }

  /** Ends the reply; returns the prose that was held back. */
  end(): string {
    const prose = this.show(this.tokens.end())
    const held = this.hider && !this.echoes.isEnded ? this.echoes.push(this.hider.end()) : ''
    return prose + held + this.echoes.end()
  }

  private show(text: string): string {
    if (!this.hider) return this.echoes.push(text)
    let prose = ''
    // Character by character: nothing after the end of the reply may be read as a block.
    for (const character of text)
      if (!this.echoes.isEnded) prose += this.echoes.push(this.hider.push(character))
    return prose
  }
}
