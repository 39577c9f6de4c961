import type { ServiceProcess } from './service-process.ts'

/** An action as the API shows it; only what is used here. */
export interface Told {
  id: number
  index: number
  type: string
  text: string
  variant_count: number
  variant_index: number
}

/** A story, and what its texts must be by everything that the service has said about them. */
export class Story {
  private told: Told[] = []

  constructor(
    private readonly service: ServiceProcess,
    readonly id: number,
    actions: Told[],
  ) {
    this.told = actions
  }

  get path(): string {
    return `/api/adventures/${this.id}`
  }

  /** Opens its page, as a reader does. */
  async open(): Promise<void> {
    const page = await this.service.ask('GET', `/adventures/${this.id}`)
    await page.text()
  }

  /** The newest narration that the model wrote. */
  newest(): Told | undefined {
    return this.told.findLast(({ type }) => type === 'ai')
  }

  /** The newest line of the player. */
  newestLine(): Told | undefined {
    return this.told.findLast(({ type }) => type !== 'ai')
  }

  /** An old one, in the middle of the story. */
  old(): Told | undefined {
    const narrations = this.told.filter(({ type }) => type === 'ai')
    return narrations[Math.floor(narrations.length / 2)]
  }

  put(action: Told): void {
    const at = this.told.findIndex(({ id }) => id === action.id)
    if (at < 0) this.told.push(action)
    else this.told[at] = action
  }

  /** Forgets what was undone. */
  dropAfter(index: number): void {
    this.told = this.told.filter((action) => action.index <= index)
  }

  /** The sentences that say where the stored texts differ from what they must be. */
  async differences(): Promise<string[]> {
    const stored = new Map((await this.stored()).map((action) => [action.id, action.text]))
    const wrong = this.told.filter(({ id, text }) => stored.get(id) !== text)
    const extra = stored.size - this.told.length
    return [
      ...wrong.map(
        ({ index }) => `Passage ${index} of story ${this.id} is stored with another text than was told.`,
      ),
      ...(extra === 0 ? [] : [`Story ${this.id} has ${stored.size} actions instead of ${this.told.length}.`]),
    ]
  }

  private async stored(): Promise<Told[]> {
    const all: Told[] = []
    for (;;) {
      const before = all[0] ? `?before_id=${all[0].id}` : ''
      const page = await this.service.json('GET', `${this.path}/actions${before}`)
      all.unshift(...page.actions)
      if (!page.has_more) return all
    }
  }
}
