import { afterGate, type Gate, gate, recorded } from '../endpoint/endpoint.ts'
import { ofType, type RunningTurn, startTurn, type WireEvent } from '../service/events.ts'
import { StoryChanges } from './changes.ts'
import type { Operation } from './operation.ts'
import { type RecorderAnswer, recorderAnswer } from './recorder-answers.ts'
import { ask, record, recordAgain } from './recorder-model.ts'
import { stepOf } from './replies.ts'
import * as model from './story-model.ts'
import { actionView, flatModel, flatState, passageView } from './views.ts'

/** A stored passage that is being recorded. */
interface Asking {
  /** The story of the passage. */
  id: number
  turn: RunningTurn
  passage: model.Passage
  /** Opens when the model may answer. */
  door: Gate
  answer: RecorderAnswer
  /** The client of the turn has disconnected. */
  isLeft: boolean
}

/** An operation while the newest passage is being recorded. */
type Meanwhile = (operation: Operation, asking: Asking) => Promise<void>

/** Turns while the recorder is asked, and Record again. */
export class StoryRecordings extends StoryChanges {
  /** The newest narration is recorded again. */
  async asked(operation: Operation): Promise<void> {
    const passage = this.story.passages.findLast(({ type }) => type === 'ai')
    const answer = recorderAnswer(operation, this.story.schema, passage ? model.textOf(passage) : '')
    this.log.push(`Record again. The recorder: ${JSON.stringify(answer.said)}.`)
    const refused = recordAgain(this.story, answer.said)
    if (refused !== null) return void (await this.expectAnswer(refused, 'POST', `${this.path}/record`))
    this.service.endpoint.recordWith(answer.step)
    const last = (await (await startTurn(this.service, `${this.path}/record`)).rest()).at(-1)
    this.service.endpoint.recordWith(null)
    if (last?.type !== 'done') throw new Error(`The recording ended with ${JSON.stringify(last)}.`)
    this.same('the recorded world state', flatModel(this.story.world), flatState(last.world_state.state))
    await this.compareAudited()
  }

  /** Another operation runs before the model answers. */
  async meanwhile(operation: Operation): Promise<void> {
    const asking = await this.playAsked(operation)
    if (asking === null) return
    await this.compareAudited()
    const { prose } = operation.manner
    const other = { ...operation, manner: { ...operation.manner, prose: prose + 1 } }
    if (operation.a % 4 === 3) await this.nextLineLeft(other)
    const act = this.possible[(operation.a + operation.b + operation.manner.at) % this.possible.length]
    await act?.(other, asking)
    await this.answerNow(asking)
  }

  /** Plays a turn until the recorder is asked. Null if it is not. */
  private async playAsked(operation: Operation): Promise<Asking | null> {
    const { id } = this
    const reply = this.reply(operation)
    const { answer } = reply
    const door = gate()
    this.narrate(recorded(stepOf(reply, operation.manner), afterGate(door, answer.step)))
    const retries = operation.a % 3 === 0
    const turn = retries ? await this.startRetry() : await this.startPlay(this.line(operation))
    this.log.push(
      `${retries ? 'Retry' : 'The player continues'}. The model: ${JSON.stringify(reply.raw)}, and when asked: ${JSON.stringify(answer.said)}.`,
    )
    const event = await turn.until(({ type }) => ['told', 'done', 'error'].includes(type))
    if (retries) model.retry(this.story, reply.narration)
    else model.answer(this.story, reply.narration)
    this.tally.accepted++
    const passage = model.newest(this.story)
    if (this.isAskedAfter(event)) return { id, turn, passage, door, answer, isLeft: false }
    await turn.rest()
    return null
  }

  /** Whether the recorder is asked. The passage is stored already, without its changes. */
  private isAskedAfter(event: WireEvent): boolean {
    const passage = model.newest(this.story)
    const isAsked = ask(this.story)
    this.same('what follows', isAsked ? 'told' : 'done', event.type)
    this.comparePromptValues(passage)
    const shown = { ...passageView(this.story, passage), why: null }
    if (event.type === 'told') this.same('the stored passage', shown, actionView({ ...event.action }))
    return isAsked
  }

  /** The model answers, if it is still asked. */
  private async answerNow({ id, turn, passage, door, answer, isLeft }: Asking): Promise<void> {
    door.open()
    const last = isLeft ? null : (await turn.rest()).at(-1)
    await this.service.running.deps.recordings.ended(id)
    const isRecorded = this.story.asked !== null
    record(this.story, answer.said)
    await this.compareAudited()
    if (last === null) return
    if (last?.type !== 'done') throw new Error(`The turn ended with ${JSON.stringify(last)}.`)
    if (!isRecorded) return
    const shown = passageView(this.story, passage)
    this.same('the recorded passage', shown, actionView({ ...last.action }))
    this.same('the recorded world state', flatModel(this.story.world), flatState(last.world_state.state))
  }

  // ---- Meanwhile ----

  /** The operations that are allowed now. An `a` of 3 is a retry. */
  private get possible(): Meanwhile[] {
    const always: Meanwhile[] = [
      (_, asking) => this.stopAsking(asking),
      async (_, asking) => this.closePage(asking),
      (operation, asking) => this.nextLine(operation, asking),
      (operation, asking) => this.nextLine(operation, asking),
      (operation) => this.nextLineStopped(operation),
      (operation) => this.retry(operation),
      (operation) => this.fail({ ...operation, a: 3 }),
      (operation) => this.stop({ ...operation, a: 3 }),
      (operation) => this.leave({ ...operation, a: 3 }),
      (operation) => this.form({ ...operation, a: 3 }),
      (operation) => this.undo(operation),
      (operation) => this.edit({ ...operation, b: operation.b % 10 }),
      (operation) => this.hand(operation),
      (operation) => this.hand(operation),
      (operation) => this.refresh(operation),
      (operation) => this.author(operation),
      (operation) => this.stale(operation),
      (operation) => this.copy(operation),
      (operation, asking) => this.restartMeanwhile(operation, asking),
    ]
    const isNarration = model.newest(this.story).type === 'ai'
    return isNarration ? [...always, (operation) => this.switch({ ...operation, b: 1 })] : always
  }

  private async stopAsking(asking: Asking): Promise<void> {
    this.log.push('Stop.')
    const stopped = await this.expectStatus(200, 'POST', `${this.path}/stop`)
    this.same('stop', { stopped: true }, stopped.body)
    asking.answer = { ...asking.answer, said: 'stopped' }
  }

  private closePage(asking: Asking): void {
    this.log.push('The page is closed.')
    asking.turn.disconnect()
    asking.isLeft = true
  }

  /** The line is stored at once, and its reply waits for the recording. Other changes are refused. */
  private async nextLine(operation: Operation, asking: Asking): Promise<void> {
    const { reply, next } = await this.startNextLine(operation)
    await this.expectAnswer('turn_in_progress', 'POST', `${this.path}/undo`)
    asking.door.open()
    await asking.turn.rest()
    asking.isLeft = true
    record(this.story, asking.answer.said)
    this.accept(await next.rest(), reply, () => model.answer(this.story, reply.narration))
  }

  private async nextLineStopped(operation: Operation): Promise<void> {
    const { reply, next } = await this.startNextLine(operation)
    this.log.push('Stop, while the line waits.')
    await this.expectStatus(200, 'POST', `${this.path}/stop`)
    record(this.story, 'stopped')
    this.accept(await next.rest(), reply, () => model.answer(this.story, reply.narration))
  }

  private async nextLineLeft(operation: Operation): Promise<void> {
    const { next } = await this.startNextLine(operation)
    this.log.push('The page is closed, while the line waits.')
    next.disconnect()
    await this.service.running.deps.locks.freed(this.id)
    this.count('disconnected')
    await this.compare()
  }

  private async startNextLine(operation: Operation) {
    const line = this.line({ ...operation, b: operation.b + 1 })
    const reply = this.reply(operation)
    this.log.push(`Meanwhile the player: ${JSON.stringify(line)}. The model: ${JSON.stringify(reply.raw)}.`)
    this.narrate(recorded(stepOf(reply, operation.manner), reply.answer.step))
    const next = await this.startPlay(line)
    const waits = await next.until(ofType('status'))
    this.same('what the line waits for', 'recording', waits.type === 'status' && waits.phase)
    await this.compare()
    return { reply, next }
  }

  private async restartMeanwhile(operation: Operation, asking: Asking): Promise<void> {
    await this.restart(operation)
    asking.isLeft = true
    record(this.story, 'the service ended')
  }

  // ---- Parts ----

  private async compareAudited(): Promise<void> {
    await this.compare()
    const { body } = await this.service.send('GET', `${this.path}/audit`)
    this.same('the audit', [], body.findings)
  }
}
