import { expect, test } from 'bun:test'
import { depth } from '../../support/depth.ts'
import { afterGate, type Gate, gate, sayAndRecord } from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { type Ask, initOf } from '../../support/service/service.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { type Dice, dice, SEED } from '../../support/stories/dice.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

/** How many schedules of two players are tried, and how many steps each has. */
const SCHEDULES = depth('SCHEDULES')
const STEPS = 9

const { endpoint, server } = await startWithModel({}, {})
const { id: scenario_id } = (
  await server.post('/api/scenarios', { prompt: 'The lamp is lit.', stat_schema: LANTERN_ROCK })
).body
await server.post('/api/story-cards', { scenario_id, name: 'Gull Rock' })
const tale = (n: number) => sayAndRecord(`The gale takes the rail ${n}.`, { 'player.warmth': -1 })
endpoint.byDefault(tale(0))
/** A story of two turns, the last with two versions. Every schedule gets a copy. */
const base = (await server.post('/api/adventures', { scenario_id })).body.id
await playTurn(server, base, { type: 'do', text: 'look' })
await playTurn(server, base, { type: 'say', text: 'Hello' })
await retryTurn(server, base)
for (const _ of endpoint.requests) await endpoint.requestArrived()

// From here on, the model answers when the schedule says so.
const models: Gate[] = []
endpoint.byDefault(async (exchange) => {
  const one = gate()
  models.push(one)
  await afterGate(one, tale(models.length))(exchange)
})

/** What a player does. A turn holds the lock until its stream ends; other operations only while they run. */
interface Operation {
  name: string
  kind: 'tells' | 'locks' | 'passes'
  ask(story: Story, dice: Dice): Ask
}

interface Story {
  id: number
  scenario: number
  /** The id of the newest action, and how many versions it has. */
  newest: number
  variants: number
  card: number
}

const api = ({ id }: Story, rest: string) => `/api/adventures/${id}${rest}`
const page = ({ id }: Story, rest: string) => `/adventures/${id}${rest}`
const line = (dice: Dice) => ({
  type: dice.pick(['do', 'say', 'story']),
  text: dice.pick(['wait', 'row', 'look up']),
})
/** An edit that changes nothing takes no lock. */
const newText = (dice: Dice) => `Rewritten ${dice.below(1_000_000)}.`
const json = (method: string, path: string, body?: unknown): Ask => ({ method, path, body })
const form = (path: string, fields: Record<string, string> = {}): Ask => ({
  method: 'POST',
  path,
  form: fields,
})

const OPERATIONS: Operation[] = [
  { name: 'turn', kind: 'tells', ask: (story, dice) => json('POST', api(story, '/actions'), line(dice)) },
  { name: 'turn by a form', kind: 'tells', ask: (story, dice) => form(page(story, '/turns'), line(dice)) },
  {
    name: 'continue',
    kind: 'tells',
    ask: (story) => json('POST', api(story, '/actions'), { type: 'continue' }),
  },
  { name: 'retry', kind: 'tells', ask: (story) => json('POST', api(story, '/retry')) },
  { name: 'retry by a form', kind: 'tells', ask: (story) => form(page(story, '/turns'), { retry: '1' }) },
  { name: 'undo', kind: 'locks', ask: (story) => json('POST', api(story, '/undo')) },
  { name: 'undo by a form', kind: 'locks', ask: (story) => form(page(story, '/undo')) },
  {
    name: 'switch',
    kind: 'locks',
    ask: (story, dice) =>
      json('POST', api(story, `/actions/${story.newest}/variant`), {
        index: dice.below(Math.max(1, story.variants)),
      }),
  },
  {
    name: 'switch by a form',
    kind: 'locks',
    ask: (story) => form(page(story, '/variant'), { action: String(story.newest), index: '0' }),
  },
  {
    name: 'edit',
    kind: 'locks',
    ask: (story, dice) => json('PATCH', api(story, `/actions/${story.newest}`), { text: newText(dice) }),
  },
  {
    name: 'edit by a form',
    kind: 'locks',
    ask: (story, dice) => form(page(story, '/edit'), { action: String(story.newest), text: newText(dice) }),
  },
  {
    name: 'change by hand',
    kind: 'locks',
    ask: (story, dice) => json('PUT', api(story, '/world-state'), { 'player.warmth': dice.below(40) }),
  },
  {
    name: 'change by hand by a form',
    kind: 'locks',
    ask: (story, dice) => form(page(story, '/world'), { 'player.warmth': String(dice.below(40)) }),
  },
  { name: 'refresh', kind: 'locks', ask: (story) => json('POST', api(story, '/refresh')) },
  { name: 'delete', kind: 'locks', ask: (story) => json('DELETE', api(story, '')) },
  {
    name: 'plot',
    kind: 'passes',
    ask: (story, dice) => json('PATCH', api(story, ''), { memory: `The lamp ${dice.below(99)}.` }),
  },
  {
    name: 'card',
    kind: 'passes',
    ask: (story, dice) =>
      json('PATCH', `/api/story-cards/${story.card}`, { entry: `A rock ${dice.below(99)}.` }),
  },
  {
    name: 'new card',
    kind: 'passes',
    ask: ({ id }) => json('POST', '/api/story-cards', { adventure_id: id, name: 'New' }),
  },
  {
    name: 'scenario',
    kind: 'passes',
    ask: ({ scenario }, dice) =>
      json('PATCH', `/api/scenarios/${scenario}`, { memory: `Salt ${dice.below(99)}.` }),
  },
  {
    name: 'deletion of the scenario',
    kind: 'passes',
    ask: ({ scenario }) => json('DELETE', `/api/scenarios/${scenario}`),
  },
  {
    name: 'settings',
    kind: 'passes',
    ask: (_, dice) =>
      json('PUT', '/api/settings', { temperature: dice.below(10) / 10, context_token_budget: 16_000 }),
  },
  {
    name: 'import',
    kind: 'passes',
    ask: () => json('POST', '/api/import?apply=1', { format: 'ai-dnd-scenario-v1', title: 'Brought' }),
  },
  { name: 'copy', kind: 'passes', ask: (story) => json('POST', api(story, '/copy')) },
  { name: 'memory', kind: 'passes', ask: (story) => json('POST', api(story, '/memories'), { text: 'Oil.' }) },
]

/** A turn that has not ended. */
interface Telling {
  /** Resolves with everything received, even if the connection is closed. */
  whole: Promise<string>
  /** A page began it. */
  isForm: boolean
  leave(): void
  /** Lets the model answer. */
  model: Gate
}

/** The outcome of an operation; for a turn, only that it started. */
interface Answered {
  operation: Operation
  status: number
  text: string
}

/** One run of two players over one story. */
class Schedule {
  telling: Telling | null = null
  readonly trace: string[] = []
  /** The accepted passages by id, with the text that must be stored. */
  readonly accepted = new Map<number, string>()
  private isDeleted = false

  private constructor(
    readonly story: Story,
    readonly dice: Dice,
  ) {}

  static async begin(dice: Dice): Promise<Schedule> {
    const { id: scenario } = (await server.post(`/api/scenarios/${scenario_id}/duplicate`)).body
    const { id } = (await server.post(`/api/adventures/${base}/copy`)).body
    server.deps.library.write((tx) => tx.update('adventures', id, { scenario_id: scenario }))
    const [card] = (await server.get(`/api/adventures/${id}`)).body.story_cards
    return new Schedule({ id, scenario, newest: 0, variants: 0, card: card.id }, dice)
  }

  async step(): Promise<void> {
    const choice = this.dice.below(10)
    if (this.telling && choice < 2) await this.end('told', () => this.telling?.model.open())
    else if (this.telling && choice === 2)
      await this.end(this.telling.isForm ? 'told' : 'left', () => this.telling?.leave())
    else if (this.telling && choice === 3) await this.stop()
    else if (choice < 6) await this.both(this.dice.pick(OPERATIONS), this.dice.pick(OPERATIONS))
    else await this.operation(this.dice.pick(OPERATIONS))
  }

  /** One player does something. Nobody else does at that moment, but a turn may be running. */
  private async operation(operation: Operation): Promise<void> {
    await this.look()
    const isHeld = this.telling !== null
    const answer = await this.send(operation)
    const { status } = answer
    this.learn([answer])
    this.trace.push(`${operation.name} ${status}`)
    if (isHeld && operation.kind !== 'passes') this.expectRefused(operation, status)
    else expect([operation.name, WELL.has(status)]).toEqual([operation.name, true])
  }

  // The scenario to update from may be gone; that is checked first.
  private expectRefused({ name }: Operation, status: number): void {
    const isGone = name === 'refresh' && status === 404
    expect([name, isGone ? 409 : status]).toEqual([name, 409])
  }

  /** Both players do something at the same moment. */
  private async both(one: Operation, other: Operation): Promise<void> {
    await this.look()
    const isHeld = this.telling !== null
    const answers = await Promise.all([this.send(one), this.send(other)])
    const statuses = answers.map(({ status }) => status)
    this.learn(answers)
    this.trace.push(`${one.name} with ${other.name} ${statuses}`)
    for (const [i, operation] of [one, other].entries()) {
      const status = statuses[i] ?? 0
      const mayBeHeld = isHeld || one.kind === 'tells' || other.kind === 'tells'
      expect([operation.name, status, WELL.has(status) || (status === 409 && mayBeHeld)]).toEqual([
        operation.name,
        status,
        true,
      ])
      if (isHeld && operation.kind !== 'passes') this.expectRefused(operation, status)
    }
    if (one.kind === 'tells' && other.kind === 'tells' && !isHeld && !this.isDeleted)
      expect(statuses.toSorted()).toEqual([200, 409])
  }

  /** Returns the status as soon as it arrives; a turn continues after it. */
  private async send(operation: Operation): Promise<Answered> {
    const ask = operation.ask(this.story, this.dice)
    const leaving = new AbortController()
    const answer = await server.ask(ask.path, { ...initOf(ask), signal: leaving.signal })
    const isForm = answer.status === 303
    if (operation.kind !== 'tells' || !(answer.status === 200 || isForm)) {
      return { operation, status: answer.status, text: await answer.text() }
    }
    expect(this.telling).toBeNull()
    const whole = isForm
      ? server.deps.locks.freed(this.story.id).then(() => '')
      : answer.text().catch(() => '')
    // The turn of a page does not end when that is left.
    const telling = {
      whole,
      isForm,
      leave: () => (isForm ? telling.model.open() : leaving.abort()),
      model: gate(),
    }
    this.telling = telling
    await endpoint.requestArrived()
    telling.model = models.at(-1) ?? telling.model
    return { operation, status: 200, text: '' }
  }

  // What was accepted stays until a player changes it. Of two simultaneous changes, either may be the last.
  private learn(answers: readonly Answered[]): void {
    const done = answers.filter(({ status }) => status < 400)
    if (done.some(({ operation }) => operation.name === 'delete')) {
      this.isDeleted = true
      this.accepted.clear()
    }
    const stored = new Map(this.dumped().map(({ id, text }) => [id, text]))
    const undone = done.filter(({ operation }) => operation.name.startsWith('undo'))
    // An id that an undo has freed may belong to another passage by now.
    const gone = [...this.accepted].filter(([id, text]) =>
      undone.length > 0 ? stored.get(id) !== text : !stored.has(id),
    )
    // An undo takes a turn: its line, which a player may have edited while it waited, and its reply.
    expect(gone.length).toBeLessThanOrEqual(2 * undone.length)
    for (const [id] of gone) this.accepted.delete(id)
    const rewritten = done.filter(({ operation }) => /^(switch|edit)/.test(operation.name))
    const words = stored.get(this.story.newest)
    if (rewritten.length === 0 || words === undefined) return
    this.accepted.set(this.story.newest, words)
    const [one] = rewritten
    if (one && rewritten.length === 1 && /^(switch|edit)$/.test(one.operation.name))
      expect(JSON.parse(one.text).text).toBe(words)
  }

  private async end(how: string, act: () => void): Promise<void> {
    const whole = this.telling?.whole
    act()
    const told = (await whole) ?? ''
    await server.deps.locks.freed(this.story.id)
    this.telling = null
    this.trace.push(how)
    const done = /^data: (\{"type":"done".*)$/m.exec(told)?.[1]
    if (done) {
      const { action } = JSON.parse(done)
      this.accepted.set(action.id, action.text)
    } else if (how === 'told') {
      const newest = this.dumped().at(-1)
      if (newest) this.accepted.set(newest.id, newest.text)
    }
  }

  private async stop(): Promise<void> {
    const answering = server.post(api(this.story, '/stop'))
    await this.end('stopped', () => {})
    expect((await answering).status).toBe(200)
  }

  private async look(): Promise<void> {
    const newest = this.dumped().at(-1)
    this.story.newest = newest?.id ?? 0
    this.story.variants = newest?.variants ?? 0
  }

  private dumped(): { id: number; index: number; type: string; text: string; variants: number }[] {
    return server.deps.library.reader.all(
      `SELECT id, "index", type, text, coalesce(json_array_length(variants), 0) AS variants
        FROM actions WHERE adventure_id = ? ORDER BY "index", id`,
      this.story.id,
    )
  }

  async finish(): Promise<void> {
    if (this.telling) await this.end('told', () => this.telling?.model.open())
    const rows = this.dumped()
    expect(rows.map(({ index }) => index)).toEqual(rows.map((_, i) => i))
    expect(new Map(rows.map(({ id, text }) => [id, text]))).toEqual(
      new Map([...rows.map(({ id, text }): [number, string] => [id, text]), ...this.accepted]),
    )
    expect(server.deps.locks.isTaken(this.story.id)).toBe(false)
    if (this.isDeleted) return expect(rows).toEqual([])
    expect((await server.get(api(this.story, '/audit'))).body).toMatchObject({ ok: true, findings: [] })
    const { action_count } = (await server.get(api(this.story, ''))).body
    expect(action_count).toBe(rows.length)
    const last = this.send({
      name: 'continue',
      kind: 'tells',
      ask: (story) => json('POST', api(story, '/actions'), { type: 'continue' }),
    })
    expect((await last).status).toBe(200)
    const whole = this.telling as Telling | null
    whole?.model.open()
    expect(await whole?.whole).toContain('"type":"done"')
    expect((await server.send('DELETE', api(this.story, ''))).status).toBe(204)
  }
}

/** Done, or refused for its own reason: nothing to undo, or a version or story that is gone. */
const WELL = new Set([200, 201, 204, 303, 400, 404])

test(`73 two players at once: in ${SCHEDULES} schedules the second is refused at once, and nothing is lost or doubled`, async () => {
  for (let i = 0; i < SCHEDULES; i++) {
    const schedule = await Schedule.begin(dice(SEED + i))
    try {
      for (let step = 0; step < STEPS; step++) await schedule.step()
      await schedule.finish()
    } catch (error) {
      console.error(`seed ${SEED}, schedule ${i}:\n${schedule.trace.join('\n')}`)
      throw error
    }
  }
})
