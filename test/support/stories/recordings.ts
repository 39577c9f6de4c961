import { afterGate, type Gate, gate, type Step, say } from '../endpoint/endpoint.ts'
import { withSecondCall } from '../endpoint/second-call.ts'
import { ofType, type RunningTurn, type WireEvent } from '../service/events.ts'
import { StoryChanges } from './changes.ts'
import type { Operation } from './operation.ts'
import { stepOf } from './replies.ts'
import { type SecondAnswer, secondAnswer } from './second-answers.ts'
import { ask, record } from './second-call-model.ts'
import * as model from './story-model.ts'
import { actionView, flatModel, flatState, passageView } from './views.ts'

/** Styles of a reply with no changes, or with incomplete ones. */
const INCOMPLETE_STYLES = [0, 0, 0, 2, 12, 13, 14]

/** A stored passage whose second call runs. */
interface Asking {
  /** The story of the passage. */
  id: number
  turn: RunningTurn
  passage: model.Passage
  /** Opens when the model may answer. */
  door: Gate
  answer: SecondAnswer
  /** The client of the turn has disconnected. */
  isLeft: boolean
}

/** An operation while the newest passage is being recorded. */
type Meanwhile = (operation: Operation, asking: Asking) => Promise<void>

/** Turns with a second call (docs/rules.md 4.12). */
export class StoryRecordings extends StoryChanges {
  /** The reply to the second call. */
  private second: Step = say('Nobody asked.')

  /** The model answers at once. */
  async asked(operation: Operation): Promise<void> {
    if (operation.b % 5 === 0) return this.askedOnPage(operation)
    const asking = await this.playIncompleteReply(operation)
    if (asking !== null) await this.answerNow(asking)
  }

  /** Another operation runs before the model answers. */
  async meanwhile(operation: Operation): Promise<void> {
    const asking = await this.playIncompleteReply(operation)
    if (asking === null) return
    await this.compareAudited()
    const { prose } = operation.manner
    const other = { ...operation, manner: { ...operation.manner, prose: prose + 1 } }
    if (operation.a % 4 === 3) await this.nextLineLeft(other)
    const act = this.possible[(operation.a + operation.b + operation.manner.at) % this.possible.length]
    await act?.(other, asking)
    await this.answerNow(asking)
  }

  /** Plays a turn whose reply lacks changes. Null if there is no second call. */
  private async playIncompleteReply(operation: Operation): Promise<Asking | null> {
    const { id } = this
    const reply = this.incompleteReply(operation)
    const door = gate()
    const answer = secondAnswer(operation, this.story.schema, reply.narration.text)
    this.second = afterGate(door, answer.step)
    await this.setSecondCall('needed')
    this.narrate(stepOf(reply, operation.manner))
    const retries = operation.a % 3 === 0
    const turn = retries ? await this.startRetry() : await this.startPlay(this.line(operation))
    this.log.push(
      `${retries ? 'Retry' : 'The player continues'}. The model: ${JSON.stringify(reply.raw)}, and when asked: ${JSON.stringify(answer.said)}.`,
    )
    const event = await turn.until(({ type }) => ['told', 'done', 'error'].includes(type))
    await this.setSecondCall('off')
    if (retries) model.retry(this.story, reply.narration)
    else model.answer(this.story, reply.narration)
    this.tally.accepted++
    const passage = model.newest(this.story)
    if (this.isAskedAfter(event)) return { id, turn, passage, door, answer, isLeft: false }
    await turn.rest()
    return null
  }

  /** Whether there is a second call. The passage is stored already, without its changes. */
  private isAskedAfter(event: WireEvent): boolean {
    const passage = model.newest(this.story)
    const isAsked = ask(this.story)
    this.same('what follows', isAsked ? 'told' : 'done', event.type)
    this.comparePromptValues(passage)
    const shown = { ...passageView(this.story, passage), why: null }
    if (event.type === 'told') this.same('the stored passage', shown, actionView({ ...event.action }))
    return isAsked
  }

  /** The same from a page, whose turn ends once the passage is stored. */
  private async askedOnPage(operation: Operation): Promise<void> {
    const reply = this.incompleteReply(operation)
    const answer = secondAnswer(operation, this.story.schema, reply.narration.text)
    this.second = answer.step
    await this.setSecondCall('needed')
    await this.form(operation, reply)
    this.log.push(`When asked: ${JSON.stringify(answer.said)}.`)
    await this.service.running.deps.recordings.ended(this.id)
    await this.setSecondCall('off')
    ask(this.story)
    record(this.story, answer.said)
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
    this.narrate(stepOf(reply, operation.manner))
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

  /** The second call has its own reply, independent of the narration. */
  protected override narrate(step: Step): void {
    super.narrate(withSecondCall(step, (exchange) => this.second(exchange)))
  }

  private incompleteReply(operation: Operation) {
    const style = INCOMPLETE_STYLES[operation.manner.style % INCOMPLETE_STYLES.length] ?? 0
    return this.reply({ ...operation, manner: { ...operation.manner, style } })
  }

  private async setSecondCall(second_call: string): Promise<void> {
    await this.expectStatus(200, 'PUT', '/api/settings', { second_call })
  }

  private async compareAudited(): Promise<void> {
    await this.compare()
    const { body } = await this.service.send('GET', `${this.path}/audit`)
    this.same('the audit', [], body.findings)
  }
}
