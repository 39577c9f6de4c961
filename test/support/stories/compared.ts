import type { JsonResponse } from '../service/server.ts'
import { modelFitted } from './referee-model.ts'
import type { StoryService } from './service.ts'
import * as model from './story-model.ts'
import { actionView, differences, flatModel, flatState, passageView, rowView, storedView } from './views.ts'

type Fields = model.Fields

/** Passages that are compared after each operation. */
const NEWEST = 4

/** A story in the service and the same story in the model. */
export class ComparedStory {
  readonly log: string[] = []
  protected story: model.Story
  protected readonly scenario: model.Scenario
  protected id = 0
  protected scenarioId = 0
  protected ids: number[] = []
  protected tally: { accepted: number; failed: Record<string, number> } = { accepted: 0, failed: {} }

  constructor(
    protected readonly service: StoryService,
    schema: Fields,
  ) {
    this.scenario = {
      plot: {
        memory: 'A rock in the sea.',
        authors_note: '',
        ai_instructions: 'Be brief.',
        example_dialogue: '',
      },
      opening: 'The lamp is lit.',
      cards: [],
      schema,
    }
    this.story = model.begin(this.scenario)
  }

  async begin(): Promise<void> {
    const { plot, opening, schema } = this.scenario
    this.log.push(`An author writes ${JSON.stringify(schema)}.`)
    const { body } = await this.expectStatus(201, 'POST', '/api/scenarios', {
      title: 'The lamp',
      prompt: opening,
      ...plot,
      stat_schema: schema,
    })
    this.scenarioId = body.id
    const begun = await this.expectStatus(201, 'POST', '/api/adventures', { scenario_id: body.id })
    this.id = begun.body.id
    this.tally = (await this.service.send('GET', '/api/health')).body.turns
    await this.compare()
  }

  /** Compares the end of the story and the world, which is what a page shows after an operation. */
  protected async compare(): Promise<void> {
    const { story, service, path } = this
    const [page, world] = await Promise.all([
      service.send('GET', `${path}/actions?limit=${NEWEST}`),
      service.send('GET', `${path}/world-state`),
    ])
    const { actions, total } = page.body
    this.ids = [...this.ids.slice(0, total - actions.length), ...actions.map(({ id }: { id: number }) => id)]
    this.same(
      'the end of the story',
      story.passages.slice(-NEWEST).map((passage) => passageView(story, passage)),
      actions.map(actionView),
    )
    this.same('the count', story.passages.length, total)
    this.same('the world', flatModel(story.world), flatState(world.body.state))
    this.same('the schema', model.counts(story.schema) ? story.schema : null, world.body.schema)
  }

  /** Compares everything about the story. */
  async compareAll(): Promise<void> {
    await this.compare()
    const { story, service, path } = this
    const [page, memories, adventure, audit, health] = await Promise.all([
      service.send('GET', `${path}/actions?limit=240`),
      service.send('GET', `${path}/memories`),
      service.send('GET', path),
      service.send('GET', `${path}/audit`),
      service.send('GET', '/api/health'),
    ])
    const { memory, authors_note, ai_instructions, example_dialogue, ...rest } = adventure.body
    const { story_summary, story_cards, action_count } = rest
    this.same(
      'the story',
      story.passages.map((passage) => passageView(story, passage)),
      page.body.actions.map(actionView),
    )
    this.same('the memories', story.memories, memories.body.map(memoryView))
    this.same('the plot', story.plot, { memory, authors_note, ai_instructions, example_dialogue })
    this.same('the summary', story.summary, story_summary)
    const interrupted = model.interruptedIn(story)
    const { reason: _, ...shown } = adventure.body.interrupted ?? {}
    this.same(
      'the interrupted reply',
      interrupted ? { text: interrupted.narration.text, retry: interrupted.retry } : {},
      shown,
    )
    this.same(
      'the cards',
      story.cards.map(({ ref: _, ...card }) => JSON.stringify(card)).sort(),
      story_cards.map(cardView).sort(),
    )
    this.same('the count of the adventure', story.passages.length, action_count)
    this.same('the findings of the audit', [], audit.body.findings)
    this.same('the result of the audit', true, audit.body.ok)
    this.same('the turn counts', this.tally, health.body.turns)
    const rows = service.running.deps.library.reader.all<Parameters<typeof rowView>[0]>(
      'SELECT "index", world_state_before, variants FROM actions WHERE adventure_id = ? ORDER BY "index", id',
      this.id,
    )
    this.same('the stored rows', storedView(story), rows.map(rowView))
    await this.compareVariants()
  }

  protected async compareVariants(): Promise<void> {
    const passage = this.story.passages.findLast(({ type }) => type === 'ai')
    if (passage === undefined) return
    const { body } = await this.service.send('GET', `${this.path}/actions/${this.idOf(passage)}/variants`)
    this.same(
      'the variants',
      passage.variants.map(({ text, thinking, how }, index) => ({
        index,
        text,
        reasoning: thinking,
        steering: null,
        rewritten: how ?? null,
        active: index === passage.live,
      })),
      body.map(({ created_at: _, ...variant }: Fields) => variant),
    )
  }

  protected same(what: string, expected: unknown, actual: unknown): void {
    const found = differences(expected, actual)
    if (found.length > 0) throw new Error(`Mismatch in ${what}:\n  ${found.slice(0, 8).join('\n  ')}`)
  }

  /** Checks that the last prompt contained the values before the passage. */
  protected comparePromptValues({ before }: model.Passage): void {
    const { schema } = this.story
    const messages = this.service.endpoint.requests.at(-1)?.body?.messages ?? []
    const prompt = messages.map(({ content }) => content).join('\n')
    const world = modelFitted(before, schema).model
    for (const [subject, line] of Object.entries(model.valueLines(schema, world))) {
      const at = prompt.lastIndexOf(`\n${subject}: `)
      const actual = prompt.slice(at + subject.length + 3).split('\n')[0]
      this.same(`the prompt's values of ${subject}`, line.toWellFormed(), actual?.replace(/\]$/, ''))
    }
  }

  protected count(code: string): void {
    this.tally.failed[code] = (this.tally.failed[code] ?? 0) + 1
  }

  protected get path(): string {
    return `/api/adventures/${this.id}`
  }

  protected get scenarioPath(): string {
    return `/api/scenarios/${this.scenarioId}`
  }

  protected idOf(passage: model.Passage): number {
    return this.ids[this.story.passages.indexOf(passage)] ?? 0
  }

  protected async expectStatus(
    status: number,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<JsonResponse> {
    const answer = await this.service.send(method, path, body)
    if (answer.status !== status)
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer
  }

  protected async expectAnswer(
    refused: string | null,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<JsonResponse> {
    const answer = await this.service.send(method, path, body)
    this.same('the refusal', refused, answer.status < 300 ? null : answer.body.code)
    return answer
  }
}

function memoryView({ text, source_start, source_end, stale }: Fields) {
  return { text, start: source_start, end: source_end, stale }
}

function cardView({ type, name, keys, entry, notes }: Fields): string {
  return JSON.stringify({ type, name, keys, entry, notes })
}
