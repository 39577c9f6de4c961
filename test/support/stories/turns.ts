import {
  breakOff,
  failInStream,
  fallSilent,
  gate,
  onlyThink,
  raw,
  recorded,
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
import type { Operation } from './operation.ts'
import { type RecorderAnswer, recorderAnswer } from './recorder-answers.ts'
import { ask, record, recordKept } from './recorder-model.ts'
import { type Reply, reply, stepOf, unmarked } from './replies.ts'
import { IMPATIENT, PATIENT } from './service.ts'
import * as model from './story-model.ts'
import { actionView, flatModel, flatState, passageView, plainVerdict, verdictsAt } from './views.ts'

interface RecordedReply extends Reply {
  answer: RecorderAnswer
}

/** The prose before a connection breaks. */
const PARTIAL_PROSE = 'Half a passage'

/** The end of a line, by which a quote in it is decided. */
const LINE_END = '\n'

/** The prose after a wait. */
const MORE = 'And on.'

/** The new text of a rewritten part. */
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

/** Turns, and the ways in which they fail. */
export class StoryTurns extends ComparedStory {
  private typed: { type: string; text: string } | null = null

  async play(operation: Operation): Promise<void> {
    const line = this.line(operation)
    const reply = this.reply(operation)
    this.log.push(`The player: ${JSON.stringify(line)}. The model: ${JSON.stringify(reply.raw)}.`)
    this.narrate(recorded(stepOf(reply, operation.manner), reply.answer.step))
    const turn = await this.startPlay(line)
    this.accept(await turn.rest(), reply, () => model.answer(this.story, reply.narration))
  }

  async retry(operation: Operation): Promise<void> {
    const reply = this.reply(operation)
    this.log.push(`Retry. The model: ${JSON.stringify(reply.raw)}.`)
    this.narrate(recorded(stepOf(reply, operation.manner), reply.answer.step))
    const turn = await this.startRetry()
    this.accept(await turn.rest(), reply, () => model.retry(this.story, reply.narration))
  }

  /** A part of the newest passage is rewritten, from any character to any other. */
  async part({ a, b }: Operation): Promise<void> {
    const passage = model.newest(this.story)
    const text = model.textOf(passage)
    const start = a % (text.length || 1)
    const end = start + 1 + (b % (text.length - start || 1))
    const part = text.slice(start, end)
    // A body with a lone surrogate is rejected.
    if (part === '' || !part.isWellFormed()) return
    const refused =
      passage.type !== 'ai' ? 'not_last' : text.indexOf(part) === text.lastIndexOf(part) ? null : 'invalid'
    this.log.push(`${JSON.stringify(part)} in the newest passage is rewritten.`)
    this.narrate(say(NEW_WORDS))
    const asked = { parts: [part], how: `In another way, ${b}.` }
    if (refused !== null)
      return void (await this.expectAnswer(refused, 'POST', `${this.path}/rewrite`, asked))
    const last = (await (await startTurn(this.service, `${this.path}/rewrite`, asked)).rest()).at(-1)
    if (last?.type !== 'done') throw new Error(`The rewriting ended with ${JSON.stringify(last)}.`)
    model.rewritePart(this.story, [start, end], NEW_WORDS, asked.how)
    this.tally.accepted++
    this.same('the stored passage', passageView(this.story, passage), actionView({ ...last.action }))
  }

  /** The pending line is sent again. */
  async again(operation: Operation): Promise<void> {
    const line = this.typed
    if (line === null || !model.isLine(model.newest(this.story))) return this.play(operation)
    const reply = this.reply(operation)
    this.log.push(`The player again: ${JSON.stringify(line)}. The model: ${JSON.stringify(reply.raw)}.`)
    this.narrate(recorded(stepOf(reply, operation.manner), reply.answer.step))
    const turn = await this.startPlay(line)
    this.accept(await turn.rest(), reply, () => model.answer(this.story, reply.narration))
  }

  async fail(operation: Operation): Promise<void> {
    const faults: [code: string, what: string, step: Step][] = [
      ['provider_error', 'a status of 500', status(500, 'out of memory')],
      ['provider_error', 'an error within the stream', failInStream({ message: 'overflow' }, PARTIAL_PROSE)],
      ['provider_error', 'a connection that breaks', breakOff(PARTIAL_PROSE)],
      ['provider_error', 'a connection that breaks at once', breakOff()],
      ['provider_error', 'a web page', webPage()],
      [
        'provider_error',
        'half an answer',
        raw(200, '{"choices": [{"mess', { 'content-type': 'application/json' }),
      ],
      ['timeout', 'silence', silent],
      ['timeout', 'silence after prose', fallSilent(PARTIAL_PROSE)],
      ['empty_reply', 'nothing', sayNothing()],
      ['empty_reply', 'nothing, at its limit', sayNothing({ finish: 'length' })],
      ['empty_reply', 'reasoning only', onlyThink('Hm.')],
      ['empty_reply', 'blanks', say(' \n\t ')],
      ['state_only_reply', 'a block only', say('```state_delta\n{"player.hp": -1}\n```')],
    ]
    const [code, what, step] = faults[operation.b % faults.length] ?? ['', '', silent]
    if (code === 'state_only_reply' && !model.counts(this.story.schema)) return
    const isLate = code === 'timeout'
    if (isLate) await this.service.send('PUT', '/api/settings', { read_timeout_seconds: IMPATIENT })
    this.narrate(step)
    const retries = operation.a % 3 === 0
    const turn = retries ? await this.startRetry() : await this.startPlay(this.line(operation))
    this.log.push(`${retries ? 'Retry' : `The player: ${JSON.stringify(this.typed)}`}. The model: ${what}.`)
    const events = await turn.rest()
    this.refuse(events, code)
    if (streamedText(events).trim() !== '') model.interrupt(this.story, PARTIAL_PROSE, retries)
    if (isLate) await this.service.send('PUT', '/api/settings', { read_timeout_seconds: PATIENT })
  }

  /** Stops a turn within its prose, within its block, or before any text. */
  async stop(operation: Operation): Promise<void> {
    const retries = operation.a % 3 === 0
    const isEarly = operation.b % 4 === 0
    const style = operation.b % 4 === 1 ? 13 : 0
    const reply = this.reply({ ...operation, manner: { ...operation.manner, style } })
    reply.narration.cut = 'stopped'
    const asked = Promise.withResolvers<void>()
    const step: Step = (exchange) => {
      asked.resolve()
      return isEarly ? silent(exchange) : sayAround(reply.raw + LINE_END, gate(), '', { pieces: 1 })(exchange)
    }
    this.narrate(recorded(step, reply.answer.step))
    const turn = retries ? await this.startRetry() : await this.startPlay(this.line(operation))
    this.log.push(
      `${retries ? 'Retry' : `The player: ${JSON.stringify(this.typed)}`}, stopped ${isEarly ? 'before any text' : `after ${JSON.stringify(reply.raw)}`}.`,
    )
    const events: WireEvent[] = []
    if (isEarly) await asked.promise
    else events.push(await turn.until(isChunk))
    const stopped = await this.expectStatus(200, 'POST', `${this.path}/stop`)
    this.same('stop', { stopped: true }, stopped.body)
    events.push(...(await turn.rest()))
    if (isEarly) this.refuse(events, 'disconnected')
    else
      this.accept(events, reply, () =>
        retries ? model.retry(this.story, reply.narration) : model.answer(this.story, reply.narration),
      )
  }

  /** The page is closed while the reply streams, or before. */
  async leave(operation: Operation): Promise<void> {
    const retries = operation.a % 3 === 0
    const isEarly = operation.b % 2 === 0
    const asked = Promise.withResolvers<void>()
    const step: Step = (exchange) => {
      asked.resolve()
      return isEarly ? silent(exchange) : sayAround(PARTIAL_PROSE, gate(), '', { pieces: 1 })(exchange)
    }
    this.narrate(step)
    const turn = retries ? await this.startRetry() : await this.startPlay(this.line(operation))
    this.log.push(`${retries ? 'Retry' : `The player: ${JSON.stringify(this.typed)}`}, and closes the page.`)
    if (isEarly) await asked.promise
    else await turn.until(isChunk)
    turn.disconnect()
    await this.service.running.deps.locks.freed(this.id)
    this.count('disconnected')
    if (!isEarly) model.interrupt(this.story, PARTIAL_PROSE, retries)
  }

  /** Keeps the interrupted reply. */
  async keep(): Promise<void> {
    this.log.push('The interrupted reply is kept.')
    const refused = model.keepInterrupted(this.story)
    this.service.endpoint.recordNothing()
    const { body } = await this.expectAnswer(refused, 'POST', `${this.path}/interrupted/keep`)
    if (refused !== null) return
    this.tally.accepted++
    await this.service.running.deps.recordings.ended(this.id)
    this.same('its answer', passageView(this.story, model.newest(this.story)), actionView(body))
    recordKept(this.story)
  }

  async discard(): Promise<void> {
    this.log.push('The interrupted reply is discarded.')
    const refused = model.discardInterrupted(this.story)
    await this.expectAnswer(refused, 'DELETE', `${this.path}/interrupted`)
  }

  /** While a turn runs, every other change is refused. */
  async busy(operation: Operation): Promise<void> {
    const reply = this.reply({ ...operation, manner: { ...operation.manner, style: 0 } })
    const { opened, open } = gate()
    const first = reply.raw + LINE_END
    this.narrate(recorded(sayAround(first, { opened, open }, MORE, { pieces: 1 }), reply.answer.step))
    reply.narration.text = reply.narration.whole = unmarked(first.trimStart() + MORE)
    const line = this.line(operation)
    this.log.push(`The player: ${JSON.stringify(line)}, and tries everything else while the reply streams.`)
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
    this.accept(await turn.rest(), reply, () => model.answer(this.story, reply.narration))
  }

  /** A turn from a page: plain, or by htmx. */
  async form(operation: Operation, reply = this.reply(operation)): Promise<void> {
    const asFragment = operation.b % 2 === 0
    const newest = String(this.ids.at(-1))
    this.narrate(recorded(stepOf(reply, operation.manner), reply.answer.step))
    let answer: JsonResponse
    if (operation.a % 3 === 0) {
      this.log.push(`Retry on the page. The model: ${JSON.stringify(reply.raw)}.`)
      answer = await this.service.submit(`/adventures/${this.id}/turns`, { newest, retry: '1' }, asFragment)
      model.retry(this.story, reply.narration)
    } else {
      const line = this.line(operation)
      this.log.push(`On the page: ${JSON.stringify(line)}. The model: ${JSON.stringify(reply.raw)}.`)
      const type = line.type === 'continue' ? 'do' : line.type
      const fields = { type, text: line.text, newest, ...(line.type === 'continue' ? { go_on: '1' } : {}) }
      if (this.sayLine(line)) this.tally.accepted++
      answer = await this.service.submit(`/adventures/${this.id}/turns`, fields, asFragment)
      model.answer(this.story, reply.narration)
    }
    this.same('status', asFragment ? 204 : 303, answer.status)
    await this.service.running.deps.locks.freed(this.id)
    this.tally.accepted++
    await this.service.running.deps.recordings.ended(this.id)
    this.recordNow(reply)
  }

  protected line({ a, b }: Operation): { type: (typeof TYPES)[number]; text: string } {
    return { type: TYPES[a % TYPES.length] ?? 'do', text: LINES[b % LINES.length] ?? '' }
  }

  /** A reply, and what the recorder answers about it. */
  protected reply(operation: Operation): RecordedReply {
    const { schema } = this.story
    const told = reply(operation.manner, schema)
    return { ...told, answer: recorderAnswer(operation, schema, told.narration.text) }
  }

  /** The recorder answers about the newest passage, if it is asked. */
  protected recordNow({ answer }: Pick<RecordedReply, 'answer'>): void {
    if (ask(this.story)) record(this.story, answer.said)
  }

  /** Sets the response of the model server to every request. */
  protected narrate(step: Step): void {
    this.service.endpoint.byDefault(step)
  }

  protected async startPlay(line: { type: string; text: string }): Promise<RunningTurn> {
    this.typed = line
    const isKept = this.sayLine(line)
    if (isKept) this.tally.accepted++
    return startTurn(this.service, `${this.path}/actions`, { ...line, keep: true })
  }

  /** Stores a line. Returns whether an interrupted reply was kept first. */
  private sayLine({ type, text }: { type: string; text: string }): boolean {
    const isKept = model.sayLine(this.story, type as model.LineType | 'continue', text)
    if (isKept) {
      this.service.endpoint.recordNothing()
      recordKept(this.story)
    }
    return isKept
  }

  /** A retry cancels the recording before any text. */
  protected startRetry(): Promise<RunningTurn> {
    model.endAsking(this.story)
    return startTurn(this.service, `${this.path}/retry`)
  }

  /** Checks that the turn was accepted and that its events match the model. */
  protected accept(events: WireEvent[], reply: RecordedReply, apply: () => void): void {
    const last = events.at(-1)
    if (last?.type !== 'done') throw new Error(`The turn ended with ${JSON.stringify(last)}.`)
    apply()
    this.comparePromptValues(model.newest(this.story))
    this.recordNow(reply)
    this.tally.accepted++
    const passage = model.newest(this.story)
    const { action, world_state, verdicts } = last
    this.same('the stored passage', passageView(this.story, passage), actionView({ ...action }))
    this.same(
      'the verdicts',
      verdictsAt(passage),
      verdicts.map((verdict) => plainVerdict({ ...verdict })),
    )
    this.same('the world state', flatModel(this.story.world), flatState(world_state.state))
    // Some turns were read from their first chunk on.
    if (reply.narration.cut !== 'stopped' && !reply.narration.text.endsWith(MORE))
      this.same('the streamed text', model.textOf(passage), streamedText(events).trim().toWellFormed())
  }

  private refuse(events: WireEvent[], code: string): void {
    const last = events.at(-1)
    if (last?.type !== 'error') throw new Error(`The turn ended with ${JSON.stringify(last)}.`)
    this.same('the code', code, last.code)
    if (events.some(isDone)) throw new Error('A failed turn sent `done`.')
    this.count(code)
  }
}
