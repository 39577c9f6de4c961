import { afterGate, type Gate, gate, type Step, say } from '../endpoint/endpoint.ts'
import { withSecondCall } from '../endpoint/second-call.ts'
import { ofType, type RunningTurn, type WireEvent } from '../service/events.ts'
import type { Deed } from './operation.ts'
import { StoryChanges } from './operations.ts'
import { stepOf } from './replies.ts'
import { type SecondAnswer, secondAnswer } from './second-answers.ts'
import { ask, record } from './second-call-model.ts'
import * as model from './story-model.ts'
import { actionView, flatModel, flatState, passageView } from './views.ts'

/** Styles of a reply that reports nothing, or not to its end. */
const TELLS_TOO_LITTLE = [0, 0, 0, 2, 12, 13, 14]

/** A passage that is kept, while the model is asked what it changed. */
interface Asking {
  /** The story in which that is. */
  id: number
  turn: RunningTurn
  passage: model.Passage
  /** Opens when the model may answer. */
  door: Gate
  answer: SecondAnswer
  /** Nobody listens to the turn any more. */
  isLeft: boolean
}

/** What is done to a story while its newest passage is being recorded. */
type Meanwhile = (deed: Deed, asking: Asking) => Promise<void>

/** Turns whose changes are asked for by themselves (docs/rules.md 4.12). */
export class StoryRecordings extends StoryChanges {
  /** What the model answers when it is asked for changes alone. */
  private second: Step = say('Nobody asked.')

  /** The model answers at once. */
  async asked(deed: Deed): Promise<void> {
    if (deed.b % 5 === 0) return this.askedOnPage(deed)
    const asking = await this.tellTooLittle(deed)
    if (asking !== null) await this.answerNow(asking)
  }

  /** Something else is done before the model answers. */
  async meanwhile(deed: Deed): Promise<void> {
    const asking = await this.tellTooLittle(deed)
    if (asking === null) return
    await this.compareAudited()
    const { prose } = deed.manner
    const other = { ...deed, manner: { ...deed.manner, prose: prose + 1 } }
    if (deed.a % 4 === 3) await this.nextLineLeft(other)
    const act = this.possible[(deed.a + deed.b + deed.manner.at) % this.possible.length]
    await act?.(other, asking)
    await this.answerNow(asking)
  }

  /** Tells a passage that is kept. Null if nothing is asked about it. */
  private async tellTooLittle(deed: Deed): Promise<Asking | null> {
    const { id } = this
    const told = this.replyTooLittle(deed)
    const door = gate()
    const answer = secondAnswer(deed, this.story.schema, told.telling.text)
    this.second = afterGate(door, answer.step)
    await this.setSecondCall('needed')
    this.narrate(stepOf(told, deed.manner))
    const retries = deed.a % 3 === 0
    const turn = retries ? await this.startRetry() : await this.startPlay(this.line(deed))
    this.log.push(
      `${retries ? 'Retry' : 'The player goes on'}. The model: ${JSON.stringify(told.raw)}, and when asked: ${JSON.stringify(answer.said)}.`,
    )
    const event = await turn.until(({ type }) => ['told', 'done', 'error'].includes(type))
    await this.setSecondCall('off')
    if (retries) model.tellAnew(this.story, told.telling)
    else model.answer(this.story, told.telling)
    this.tally.accepted++
    const passage = model.newest(this.story)
    if (this.isAskedAfter(event)) return { id, turn, passage, door, answer, isLeft: false }
    await turn.rest()
    return null
  }

  /** Whether the model is asked now. The passage is told as it will stay, but for what is asked. */
  private isAskedAfter(event: WireEvent): boolean {
    const passage = model.newest(this.story)
    const isAsked = ask(this.story)
    this.same('what follows', isAsked ? 'told' : 'done', event.type)
    this.compareTold(passage)
    const shown = { ...passageView(this.story, passage), why: null }
    if (event.type === 'told') this.same('the passage that was told', shown, actionView({ ...event.action }))
    return isAsked
  }

  /** The page goes on when the passage is told. */
  private async askedOnPage(deed: Deed): Promise<void> {
    const told = this.replyTooLittle(deed)
    const answer = secondAnswer(deed, this.story.schema, told.telling.text)
    this.second = answer.step
    await this.setSecondCall('needed')
    await this.form(deed, told)
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
    this.same('the passage that was recorded', shown, actionView({ ...last.action }))
    this.same('the world that was recorded', flatModel(this.story.world), flatState(last.world_state.state))
  }

  // ---- Meanwhile ----

  /** What can be done now and is not refused. An `a` of 3 is a retry. */
  private get possible(): Meanwhile[] {
    const always: Meanwhile[] = [
      (_, asking) => this.stopAsking(asking),
      async (_, asking) => this.closePage(asking),
      (deed, asking) => this.nextLine(deed, asking),
      (deed, asking) => this.nextLine(deed, asking),
      (deed) => this.nextLineStopped(deed),
      (deed) => this.retry(deed),
      (deed) => this.fail({ ...deed, a: 3 }),
      (deed) => this.stop({ ...deed, a: 3 }),
      (deed) => this.leave({ ...deed, a: 3 }),
      (deed) => this.form({ ...deed, a: 3 }),
      (deed) => this.undo(deed),
      (deed) => this.edit({ ...deed, b: deed.b % 10 }),
      (deed) => this.hand(deed),
      (deed) => this.hand(deed),
      (deed) => this.refresh(deed),
      (deed) => this.author(deed),
      (deed) => this.stale(deed),
      (deed) => this.copy(deed),
      (deed, asking) => this.restartMeanwhile(deed, asking),
    ]
    const isTold = model.newest(this.story).type === 'ai'
    return isTold ? [...always, (deed) => this.switch({ ...deed, b: 1 })] : always
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

  /** The line is kept at once, and its reply waits for what is recorded. Nothing else is done to the story. */
  private async nextLine(deed: Deed, asking: Asking): Promise<void> {
    const { told, next } = await this.startNextLine(deed)
    await this.expectAnswer('turn_in_progress', 'POST', `${this.path}/undo`)
    asking.door.open()
    await asking.turn.rest()
    asking.isLeft = true
    record(this.story, asking.answer.said)
    this.accept(await next.rest(), told, () => model.answer(this.story, told.telling))
  }

  private async nextLineStopped(deed: Deed): Promise<void> {
    const { told, next } = await this.startNextLine(deed)
    this.log.push('Stop, while the line waits.')
    await this.expectStatus(200, 'POST', `${this.path}/stop`)
    record(this.story, 'stopped')
    this.accept(await next.rest(), told, () => model.answer(this.story, told.telling))
  }

  private async nextLineLeft(deed: Deed): Promise<void> {
    const { next } = await this.startNextLine(deed)
    this.log.push('The page is closed, while the line waits.')
    next.disconnect()
    await this.service.running.deps.locks.freed(this.id)
    this.count('disconnected')
    await this.compare()
  }

  private async startNextLine(deed: Deed) {
    const line = this.line({ ...deed, b: deed.b + 1 })
    const told = this.reply(deed)
    this.log.push(`Meanwhile the player: ${JSON.stringify(line)}. The model: ${JSON.stringify(told.raw)}.`)
    this.narrate(stepOf(told, deed.manner))
    const next = await this.startPlay(line)
    const waits = await next.until(ofType('status'))
    this.same('what the line waits for', 'recording', waits.type === 'status' && waits.phase)
    await this.compare()
    return { told, next }
  }

  private async restartMeanwhile(deed: Deed, asking: Asking): Promise<void> {
    await this.restart(deed)
    asking.isLeft = true
    record(this.story, 'the service ended')
  }

  // ---- Parts ----

  /** The second call has an answer of its own, whatever is told. */
  protected override narrate(step: Step): void {
    super.narrate(withSecondCall(step, (exchange) => this.second(exchange)))
  }

  private replyTooLittle(deed: Deed) {
    const style = TELLS_TOO_LITTLE[deed.manner.style % TELLS_TOO_LITTLE.length] ?? 0
    return this.reply({ ...deed, manner: { ...deed.manner, style } })
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
