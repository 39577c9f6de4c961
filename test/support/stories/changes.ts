import { remember } from '../../../src/app/memory/remember.ts'
import { say } from '../endpoint/endpoint.ts'
import { asJson, asSent, type Operation } from './operation.ts'
import { changesFor } from './random-worlds.ts'
import { rewritten } from './schemas.ts'
import * as model from './story-model.ts'
import { StoryTurns } from './turns.ts'
import { actionView, flatModel, flatState, passageView, plainVerdict } from './views.ts'

type Fields = model.Fields

const WORDS = [
  'The bell.',
  '',
  '  ',
  'A word\n\nand another.',
  '“Grüße”, 名古屋',
  '> You look.',
  '```state\n{}\n```',
]

const PLOT = ['memory', 'authors_note', 'ai_instructions', 'example_dialogue'] as const

/** A branch in the service and in the model. */
interface LeftBranch {
  id: number
  story: model.Story
}

/** Changes of a story other than turns. */
export class StoryChanges extends StoryTurns {
  private notes = 0
  /** The other branches, in their last state. */
  private branches: LeftBranch[] = []

  // ---- Versions, edits and undo ----

  async switch({ a, b }: Operation): Promise<void> {
    const { passages } = this.story
    const narrations = passages.filter(({ type }) => type === 'ai')
    // Mostly the newest one, which is the only one that can be switched.
    const passage = b % 5 === 0 ? narrations[a % (narrations.length || 1)] : passages.at(-1)
    if (passage === undefined) return
    const index = a % (passage.variants.length + (b % 7 === 0 ? 1 : 0) || 1)
    this.log.push(`Passage ${passage.index} is switched to variant ${index}.`)
    const refused = model.switchTo(this.story, passage, index)
    const to = `${this.path}/actions/${this.idOf(passage)}/variant`
    const { body } = await this.expectAnswer(refused, 'POST', to, { index })
    if (refused === null) this.same('its answer', passageView(this.story, passage), actionView(body))
  }

  async edit({ a, b }: Operation): Promise<void> {
    const { passages } = this.story
    const passage =
      (b % 2 === 0 ? passages.at(-1) : passages[a % passages.length]) ?? model.newest(this.story)
    const text = WORDS[b % WORDS.length] ?? ''
    const seen = b % 3 === 0 ? {} : { variant_index: passage.live + (b % 11 === 0 ? 1 : 0) }
    this.log.push(`Passage ${passage.index} is rewritten: ${JSON.stringify({ text, ...seen })}.`)
    const refused = (seen.variant_index ?? passage.live) === passage.live ? null : 'changed_elsewhere'
    if (refused === null) model.rewrite(this.story, passage, text)
    const to = `${this.path}/actions/${this.idOf(passage)}`
    const { body } = await this.expectAnswer(refused, 'PATCH', to, { text, ...seen })
    if (refused === null) this.same('its answer', passageView(this.story, passage), actionView(body))
  }

  async undo({ b }: Operation): Promise<void> {
    const newest = String(this.ids.at(-1))
    const undone = model.undo(this.story)
    const refused = typeof undone === 'string' ? undone : null
    if (b % 5 === 0 && refused === null) {
      this.log.push('Undo on the page.')
      const { status } = await this.service.submit(`/adventures/${this.id}/undo`, { newest }, b % 2 === 0)
      this.same('status', b % 2 === 0 ? 200 : 303, status)
      return
    }
    this.log.push('Undo.')
    const { body } = await this.expectAnswer(refused, 'POST', `${this.path}/undo`)
    if (typeof undone !== 'string') this.same('the text in the composer', undone.typed, body.typed)
  }

  // ---- Manual changes ----

  async hand({ picked }: Operation): Promise<void> {
    // `__proto__` is removed from request bodies.
    const { ['__proto__']: _, ...values } = asSent(changesFor(this.story.schema, picked, true))
    this.log.push(`By hand: ${JSON.stringify(values)}.`)
    const verdicts = model.setWorld(this.story, values)
    const refused = typeof verdicts === 'string' ? verdicts : null
    const { body } = await this.expectAnswer(refused, 'PUT', `${this.path}/world-state`, values)
    if (typeof verdicts === 'string') return
    this.same('the verdicts', verdicts, body.report.verdicts.map(plainVerdict))
    this.same('the world of the answer', flatModel(this.story.world), flatState(body.state))
  }

  /** The player adds a card. */
  async card({ a }: Operation): Promise<void> {
    const card = { type: 'item', name: `Mine ${a}`, keys: 'mine', entry: 'It is mine.', notes: '' }
    this.log.push(`The player makes a card, ${card.name}.`)
    await this.expectStatus(201, 'POST', '/api/story-cards', { ...card, adventure_id: this.id })
    this.story.cards.push({ ref: null, ...card })
  }

  // ---- The author ----

  /** The author edits the scenario, which does not affect the story. */
  async author({ a, b, picked }: Operation): Promise<void> {
    const { scenario } = this
    if (a % 3 === 0) {
      const field = PLOT[b % PLOT.length] ?? 'memory'
      scenario.plot[field] = `Written again, ${b}.`
      this.log.push(`The author writes ${field}.`)
      await this.expectStatus(200, 'PATCH', this.scenarioPath, { [field]: scenario.plot[field] })
    } else if (a % 3 === 1) await this.writeCard(b)
    else {
      scenario.schema = b % 12 === 0 ? {} : asJson(rewritten(scenario.schema, picked))
      this.log.push(`The author sets the schema ${JSON.stringify(scenario.schema)}.`)
      const stat_schema = b % 12 === 0 ? null : scenario.schema
      await this.expectStatus(200, 'PATCH', this.scenarioPath, { stat_schema })
    }
  }

  private async writeCard(b: number): Promise<void> {
    const { cards } = this.scenario
    const card = cards[b % (cards.length || 1)]
    const fields = { type: 'place', name: `Card ${b % 9}`, keys: 'lamp', entry: `An entry, ${b}.`, notes: '' }
    if (card === undefined || b % 3 === 0) {
      this.log.push(`The author makes a card, ${fields.name}.`)
      const { body } = await this.expectStatus(201, 'POST', '/api/story-cards', {
        ...fields,
        scenario_id: this.scenarioId,
      })
      cards.push({ ref: `card:${body.id}`, ...fields })
      return
    }
    const at = `/api/story-cards/${card.ref?.slice('card:'.length)}`
    if (b % 3 === 1) {
      this.log.push(`The author rewrites the card ${card.name}.`)
      Object.assign(card, fields)
      await this.expectStatus(200, 'PATCH', at, fields)
    } else {
      this.log.push(`The author drops the card ${card.name}.`)
      cards.splice(cards.indexOf(card), 1)
      await this.expectStatus(204, 'DELETE', at)
    }
  }

  async refresh(operation: Operation): Promise<void> {
    if (operation.a % 4 > 0) await this.author({ ...operation, a: operation.a % 4 === 1 ? operation.b : 2 })
    const expected = model.plan(this.story, this.scenario)
    const { body } = await this.expectStatus(200, 'GET', `${this.path}/refresh`)
    this.same('the plan', sorted(expected), sorted(planView(body)))
    const left: string[] = body.items
      .filter(({ kind }: { kind: string }) => kind === 'field' || kind === 'card')
      .map(({ ref }: { ref: string }) => ref)
    const skip = operation.b % 3 === 0 ? left.filter((_, i) => (operation.b + i) % 2 === 0) : []
    this.log.push(`Refresh${skip.length === 0 ? '' : ` without ${skip.join(', ')}`}.`)
    await this.expectStatus(200, 'POST', `${this.path}/refresh`, { skip })
    model.refresh(this.story, this.scenario, new Set(skip))
  }

  /** Continues in a copy, from the end of the story or from an earlier passage. */
  async copy({ a, b }: Operation): Promise<void> {
    const { passages } = this.story
    const passage = passages[a % passages.length] ?? model.newest(this.story)
    const isWhole = b % 3 === 0
    this.log.push(`A new story continues from ${isWhole ? 'here' : `passage ${passage.index}`}.`)
    const up_to = isWhole ? null : this.idOf(passage)
    const { body } = await this.expectStatus(201, 'POST', `${this.path}/copy`, { up_to })
    this.id = body.id
    // The answer has the newest page of passages only.
    const all = await this.service.send('GET', `${this.path}/actions?limit=240`)
    this.ids = all.body.actions.map(({ id }: { id: number }) => id)
    this.story = model.copyUpTo(this.story, isWhole ? model.newest(this.story) : passage)
    await this.compareAll()
  }

  /** Continues in a branch from an earlier passage, and remembers the story that it left. */
  async branch({ a }: Operation): Promise<void> {
    const { passages } = this.story
    const passage = passages[a % passages.length] ?? model.newest(this.story)
    if (this.story.asked !== null) return
    this.log.push(`A branch continues from passage ${passage.index}.`)
    const action_id = this.idOf(passage)
    const { body } = await this.expectStatus(201, 'POST', `${this.path}/family`, { action_id })
    const branch = model.copyUpTo(this.story, passage)
    await this.goTo({ id: body.id, story: branch })
  }

  /** Continues in another branch, which must be unchanged; now and then the one that was left is deleted. */
  async other({ a, b }: Operation): Promise<void> {
    const next = this.branches[a % (this.branches.length || 1)]
    if (next === undefined || this.story.asked !== null) return
    const left = this.path
    this.log.push(`The player goes to the branch ${next.id}${b % 4 === 0 ? ', and deletes this one' : ''}.`)
    await this.goTo(next)
    if (b % 4 > 0) return
    await this.expectStatus(204, 'DELETE', left)
    this.branches.pop()
    await this.compareAll()
  }

  private async goTo(branch: LeftBranch): Promise<void> {
    const { id, story } = this
    this.branches = [...this.branches.filter((one) => one !== branch), { id, story }]
    this.id = branch.id
    this.story = branch.story
    const all = await this.service.send('GET', `${this.path}/actions?limit=240`)
    this.ids = all.body.actions.map((action: { id: number }) => action.id)
    await this.compareAll()
  }

  // ---- The service ----

  /** Idle time, in which due memories are written. */
  async rest(): Promise<void> {
    this.log.push('The player reads for a while.')
    const asked = { memory: 0, summary: 0 }
    this.notes++
    this.narrate((exchange) => {
      const task = exchange.request.body?.messages?.at(-1)?.content ?? ''
      const what = /bring its summary up to date/.test(task) ? 'summary' : 'memory'
      return say(`The ${what} ${this.notes}.${++asked[what]}.`)(exchange)
    })
    // A service with a backlog needs several runs.
    for (let go = 0; go < 3; go++)
      await remember(this.service.running.deps, {
        adventureId: this.id,
        signal: new AbortController().signal,
        report: () => {},
        seconds: Number.POSITIVE_INFINITY,
      })
    const written = { memory: 0, summary: 0 }
    model.rest(this.story, (what) => `The ${what} ${this.notes}.${++written[what]}.`)
    this.same('the requests for memories and summaries', written, asked)
  }

  async restart({ b }: Operation): Promise<void> {
    this.log.push('The service is stopped and started again.')
    await this.service.restart(b % 2 === 0)
    this.tally = { accepted: 0, failed: {} }
  }

  /** A form of an outdated page. */
  async stale({ a, b }: Operation): Promise<void> {
    const forms: [string, Record<string, string>][] = [
      // None of the lines that are played: one that is sent twice is taken for the same line.
      ['turns', { type: 'do', text: 'leaf back' }],
      ['turns', { retry: '1' }],
      ['undo', {}],
    ]
    const [form, fields] = forms[a % forms.length] ?? ['undo', {}]
    const newest = String(this.ids.at(-2) ?? 0)
    this.log.push(`From an old page: ${form}.`)
    const { status } = await this.service.submit(
      `/adventures/${this.id}/${form}`,
      { ...fields, newest },
      b % 2 === 0,
    )
    this.same('status', 409, status)
  }

  /** Requests that are rejected and change nothing. */
  async refused({ a }: Operation): Promise<void> {
    const action = `${this.path}/actions/${this.ids.at(-1)}`
    const requests: [code: string, method: string, path: string, body?: unknown][] = [
      ['invalid', 'POST', `${this.path}/actions`, { type: 'Do', text: 'look' }],
      ['invalid', 'POST', `${this.path}/actions`, { type: 'do', text: null }],
      ['invalid', 'PATCH', action, { text: 5 }],
      ['invalid', 'POST', `${action}/variant`, { index: -1 }],
      ['no_such_variant', 'POST', `${action}/variant`, { index: 99 }],
      ['not_found', 'POST', `${this.path}/actions/999999/variant`, { index: 0 }],
      ['not_found', 'PATCH', `${this.path}/actions/999999`, { text: 'x' }],
      ['wrong_method', 'DELETE', action],
      ['not_found', 'POST', '/api/adventures/999999/undo'],
      ['invalid', 'POST', `${this.path}/refresh`, { skip: ['field:nothing'] }],
    ]
    const [code, method, path, body] = requests[a % requests.length] ?? ['', '', '']
    this.log.push(`${method} ${path} ${JSON.stringify(body)} is refused.`)
    await this.expectAnswer(code, method, path, body)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire
function planView({ has_changes, fields, cards, world_state }: any): model.Plan {
  return {
    has_changes,
    fields: Object.keys(fields),
    cards,
    added: world_state.added,
    removed: world_state.removed,
    changed: world_state.changed.map(({ path, what }: Fields) => `${path} ${what}`),
  }
}

function sorted({ cards, ...lists }: model.Plan) {
  const inOrder = (value: unknown) => (Array.isArray(value) ? [...value].sort() : value)
  const all = { ...lists, ...cards, changed: [...new Set(lists.changed)] }
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, inOrder(value)]))
}
