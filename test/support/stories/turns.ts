import {
  breakOff,
  failInStream,
  fallSilent,
  gate,
  onlyThink,
  raw,
  type Step,
  say,
  sayAround,
  sayNothing,
  silent,
  status,
  webPage,
} from '../endpoint/endpoint.ts'
import { type RunningTurn, startTurn, streamedText, type WireEvent } from '../service/events.ts'
import type { JsonResponse } from '../service/server.ts'
import { ComparedStory } from './compared.ts'
import { asSent, type Deed } from './operation.ts'
import { changesFor } from './random-worlds.ts'
import { type Reply, reply, stepOf } from './replies.ts'
import { IMPATIENT, PATIENT } from './service.ts'
import * as model from './story-model.ts'
import { actionView, flatModel, flatState, passageView, plainVerdict, toldAt } from './views.ts'

/** What a model says before it breaks off. */
const HALF_A_TALE = 'Half a tale'

/** What a model says after a wait. */
const MORE = ' And on.'

/** What a model says in place of a part. */
const NEW_WORDS = 'It is another day.'

const LINES = [
  'look',
  'open the door',
  'you run',
  '"Hi!"',
  'Who?',
  '  wait  ',
  'I said "no"',
  'go…',
  '   ',
  '',
]
const TYPES = ['do', 'do', 'say', 'story', 'continue'] as const

const isDone = ({ type }: WireEvent) => type === 'done'
const isChunk = ({ type }: WireEvent) => type === 'chunk'

/** What is told in a story, and what goes wrong with it. */
export class StoryTurns extends ComparedStory {
  private typed: { type: string; text: string } | null = null

  async play(deed: Deed): Promise<void> {
    const line = this.line(deed)
    const told = this.reply(deed)
    this.log.push(`The player: ${JSON.stringify(line)}. The model: ${JSON.stringify(told.raw)}.`)
    this.narrate(stepOf(told, deed.manner))
    const turn = await this.startPlay(line)
    this.accept(await turn.rest(), told, () => model.answer(this.story, told.telling))
  }

  async retry(deed: Deed): Promise<void> {
    const told = this.reply(deed)
    this.log.push(`Retry. The model: ${JSON.stringify(told.raw)}.`)
    this.narrate(stepOf(told, deed.manner))
    const turn = await this.startRetry()
    this.accept(await turn.rest(), told, () => model.tellAnew(this.story, told.telling))
  }

  /** A part of the newest passage is rewritten, from any character to any other. */
  async part({ a, b }: Deed): Promise<void> {
    const passage = model.newest(this.story)
    const text = model.textOf(passage)
    const start = a % (text.length || 1)
    const end = start + 1 + (b % (text.length - start || 1))
    const part = text.slice(start, end)
    // A body with a lone surrogate is rejected.
    if (part === '' || !part.isWellFormed()) return
    const refused =
      passage.type !== 'ai' ? 'not_last' : text.indexOf(part) === text.lastIndexOf(part) ? null : 'invalid'
    this.log.push(`Of the newest passage ${JSON.stringify(part)} is rewritten.`)
    this.narrate(say(NEW_WORDS))
    const asked = { parts: [part], how: `In another way, ${b}.` }
    if (refused !== null)
      return void (await this.expectAnswer(refused, 'POST', `${this.path}/rewrite`, asked))
    const last = (await (await startTurn(this.service, `${this.path}/rewrite`, asked)).rest()).at(-1)
    if (last?.type !== 'done') throw new Error(`The rewriting ended with ${JSON.stringify(last)}.`)
    model.rewritePart(this.story, [start, end], NEW_WORDS, asked.how)
    this.tally.accepted++
    this.same('the passage that was told', passageView(this.story, passage), actionView({ ...last.action }))
  }

  /** The words that wait are sent once more. */
  async again(deed: Deed): Promise<void> {
    const line = this.typed
    if (line === null || !model.isLine(model.newest(this.story))) return this.play(deed)
    const told = this.reply(deed)
    this.log.push(`The player once more: ${JSON.stringify(line)}. The model: ${JSON.stringify(told.raw)}.`)
    this.narrate(stepOf(told, deed.manner))
    const turn = await this.startPlay(line)
    this.accept(await turn.rest(), told, () => model.answer(this.story, told.telling))
  }

  async fail(deed: Deed): Promise<void> {
    const faults: [code: string, what: string, step: Step][] = [
      ['provider_error', 'a status of 500', status(500, 'out of memory')],
      ['provider_error', 'an error within the stream', failInStream({ message: 'overflow' }, HALF_A_TALE)],
      ['provider_error', 'a line that breaks', breakOff(HALF_A_TALE)],
      ['provider_error', 'a line that breaks at once', breakOff()],
      ['provider_error', 'a web page', webPage()],
      [
        'provider_error',
        'half an answer',
        raw(200, '{"choices": [{"mess', { 'content-type': 'application/json' }),
      ],
      ['timeout', 'silence', silent],
      ['timeout', 'silence behind a tale', fallSilent(HALF_A_TALE)],
      ['empty_reply', 'nothing', sayNothing()],
      ['empty_reply', 'nothing, at its limit', sayNothing({ finish: 'length' })],
      ['empty_reply', 'thoughts alone', onlyThink('Hm.')],
      ['empty_reply', 'blanks', say(' \n\t ')],
      ['state_only_reply', 'a block alone', say('```state_delta\n{"player.hp": -1}\n```')],
    ]
    const [code, what, step] = faults[deed.b % faults.length] ?? ['', '', silent]
    if (code === 'state_only_reply' && !model.counts(this.story.schema)) return
    const isLate = code === 'timeout'
    if (isLate) await this.service.send('PUT', '/api/settings', { read_timeout_seconds: IMPATIENT })
    this.narrate(step)
    const retries = deed.a % 3 === 0
    const turn = retries ? await this.startRetry() : await this.startPlay(this.line(deed))
    this.log.push(`${retries ? 'Retry' : `The player: ${JSON.stringify(this.typed)}`}. The model: ${what}.`)
    const events = await turn.rest()
    this.refuse(events, code)
    if (streamedText(events).trim() !== '') model.interrupt(this.story, HALF_A_TALE, retries)
    if (isLate) await this.service.send('PUT', '/api/settings', { read_timeout_seconds: PATIENT })
  }

  /** Stops a turn within its prose, within its block, or before anything was told. */
  async stop(deed: Deed): Promise<void> {
    const retries = deed.a % 3 === 0
    const isEarly = deed.b % 4 === 0
    const style = deed.b % 4 === 1 ? 13 : 0
    const told = this.reply({ ...deed, manner: { ...deed.manner, style } })
    told.telling.cut = 'stopped'
    const asked = Promise.withResolvers<void>()
    const step: Step = (exchange) => {
      asked.resolve()
      return isEarly ? silent(exchange) : sayAround(told.raw, gate(), '', { pieces: 1 })(exchange)
    }
    this.narrate(step)
    const turn = retries ? await this.startRetry() : await this.startPlay(this.line(deed))
    this.log.push(
      `${retries ? 'Retry' : `The player: ${JSON.stringify(this.typed)}`}, stopped ${isEarly ? 'before a word' : `behind ${JSON.stringify(told.raw)}`}.`,
    )
    const events: WireEvent[] = []
    if (isEarly) await asked.promise
    else events.push(await turn.until(isChunk))
    const stopped = await this.expectStatus(200, 'POST', `${this.path}/stop`)
    this.same('stop', { stopped: true }, stopped.body)
    events.push(...(await turn.rest()))
    if (isEarly) this.refuse(events, 'disconnected')
    else
      this.accept(events, told, () =>
        retries ? model.tellAnew(this.story, told.telling) : model.answer(this.story, told.telling),
      )
  }

  /** The page is closed while the model tells, or before. */
  async leave(deed: Deed): Promise<void> {
    const retries = deed.a % 3 === 0
    const isEarly = deed.b % 2 === 0
    const asked = Promise.withResolvers<void>()
    const step: Step = (exchange) => {
      asked.resolve()
      return isEarly ? silent(exchange) : sayAround(HALF_A_TALE, gate(), '', { pieces: 1 })(exchange)
    }
    this.narrate(step)
    const turn = retries ? await this.startRetry() : await this.startPlay(this.line(deed))
    this.log.push(`${retries ? 'Retry' : `The player: ${JSON.stringify(this.typed)}`}, and closes the page.`)
    if (isEarly) await asked.promise
    else await turn.until(isChunk)
    turn.disconnect()
    await this.service.running.deps.locks.freed(this.id)
    this.count('disconnected')
    if (!isEarly) model.interrupt(this.story, HALF_A_TALE, retries)
  }

  /** What was told until a turn broke off becomes its reply. */
  async keep(): Promise<void> {
    this.log.push('What was told is kept.')
    const refused = model.keepInterrupted(this.story)
    const { body } = await this.expectAnswer(refused, 'POST', `${this.path}/interrupted/keep`)
    if (refused !== null) return
    this.tally.accepted++
    this.same('its answer', passageView(this.story, model.newest(this.story)), actionView(body))
  }

  async discard(): Promise<void> {
    this.log.push('What was told is discarded.')
    const refused = model.discardInterrupted(this.story)
    await this.expectAnswer(refused, 'DELETE', `${this.path}/interrupted`)
  }

  /** While a turn runs, nothing else is done to the story. */
  async busy(deed: Deed): Promise<void> {
    const told = this.reply({ ...deed, manner: { ...deed.manner, style: 0 } })
    const { opened, open } = gate()
    this.narrate(sayAround(told.raw, { opened, open }, MORE, { pieces: 1 }))
    told.telling.text = told.telling.whole = told.raw.trimStart() + MORE
    const line = this.line(deed)
    this.log.push(`The player: ${JSON.stringify(line)}, and tries everything else while the model tells.`)
    const turn = await this.startPlay(line)
    await turn.until(isChunk)
    const action = `${this.path}/actions/${this.ids.at(-1)}`
    const requests: [method: string, path: string, body?: unknown][] = [
      ['POST', `${this.path}/actions`, { type: 'do', text: 'look' }],
      ['POST', `${this.path}/retry`],
      ['POST', `${this.path}/undo`],
      ['PATCH', action, { text: 'x' }],
      ['POST', `${action}/variant`, { index: 0 }],
      ['PUT', `${this.path}/world-state`, { 'player.hp': 1 }],
      ['POST', `${this.path}/refresh`],
      ['DELETE', this.path],
    ]
    for (const [method, path, body] of requests)
      await this.expectAnswer('turn_in_progress', method, path, body)
    open()
    this.accept(await turn.rest(), told, () => model.answer(this.story, told.telling))
  }

  /** A turn from a page: plain, or by htmx. */
  async form(deed: Deed, told = this.reply(deed)): Promise<void> {
    const asFragment = deed.b % 2 === 0
    const newest = String(this.ids.at(-1))
    this.narrate(stepOf(told, deed.manner))
    let answer: JsonResponse
    if (deed.a % 3 === 0) {
      this.log.push(`Retry on the page. The model: ${JSON.stringify(told.raw)}.`)
      answer = await this.service.submit(`/adventures/${this.id}/turns`, { newest, retry: '1' }, asFragment)
      model.tellAnew(this.story, told.telling)
    } else {
      const line = this.line(deed)
      this.log.push(`On the page: ${JSON.stringify(line)}. The model: ${JSON.stringify(told.raw)}.`)
      const type = line.type === 'continue' ? 'do' : line.type
      const fields = { type, text: line.text, newest, ...(line.type === 'continue' ? { go_on: '1' } : {}) }
      answer = await this.service.submit(`/adventures/${this.id}/turns`, fields, asFragment)
      if (model.sayLine(this.story, line.type, line.text)) this.tally.accepted++
      model.answer(this.story, told.telling)
    }
    this.same('status', 200, answer.status)
    this.tally.accepted++
  }

  protected line({ a, b }: Deed): { type: (typeof TYPES)[number]; text: string } {
    return { type: TYPES[a % TYPES.length] ?? 'do', text: LINES[b % LINES.length] ?? '' }
  }

  protected reply({ manner, picked }: Deed): Reply {
    const { schema } = this.story
    return reply(manner, asSent(changesFor(schema, picked, false)), schema)
  }

  /** What the model does next, whatever it is asked. */
  protected narrate(step: Step): void {
    this.service.endpoint.byDefault(step)
  }

  protected async startPlay(line: { type: string; text: string }): Promise<RunningTurn> {
    this.typed = line
    const isKept = model.sayLine(this.story, line.type as model.LineType | 'continue', line.text)
    if (isKept) this.tally.accepted++
    return startTurn(this.service, `${this.path}/actions`, { ...line, keep: true })
  }

  /** A retry ends the asking for changes before anything is told. */
  protected startRetry(): Promise<RunningTurn> {
    model.endAsking(this.story)
    return startTurn(this.service, `${this.path}/retry`)
  }

  /** The turn was accepted, and its events tell what the model says of it. */
  protected accept(events: WireEvent[], told: Reply, tell: () => void): void {
    const last = events.at(-1)
    if (last?.type !== 'done') throw new Error(`The turn ended with ${JSON.stringify(last)}.`)
    tell()
    this.tally.accepted++
    const passage = model.newest(this.story)
    this.compareTold(passage)
    const { action, world_state, verdicts } = last
    this.same('the passage that was told', passageView(this.story, passage), actionView({ ...action }))
    this.same(
      'the verdicts',
      toldAt(passage),
      verdicts.map((verdict) => plainVerdict({ ...verdict })),
    )
    this.same('the world that was told', flatModel(this.story.world), flatState(world_state.state))
    // Some turns were read from their first chunk on.
    if (told.telling.cut !== 'stopped' && !told.telling.text.endsWith(MORE))
      this.same('what was shown', model.textOf(passage), streamedText(events).trim().toWellFormed())
  }

  private refuse(events: WireEvent[], code: string): void {
    const last = events.at(-1)
    if (last?.type !== 'error') throw new Error(`The turn ended with ${JSON.stringify(last)}.`)
    this.same('the code', code, last.code)
    if (events.some(isDone)) throw new Error('A turn that failed was done.')
    this.count(code)
  }
}
