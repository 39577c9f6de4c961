import { begin } from './course-run.ts'
import { playStep, type Table } from './player.ts'
import { type RecallStep, recallCourse } from './recall-course.ts'
import type { Story } from './story.ts'

/** What came of one question, by the prompt that was stored with its answer. */
export interface Answered {
  asked: string
  /** The index of the passage that told it, and of the answer. */
  told: number
  at: number
  /** `window`: the prompt still holds the passage itself. `no`: it neither holds nor quotes it. */
  inPrompt: 'quoted' | 'window' | 'no'
  /** Passages that were quoted besides. */
  others: number
}

/** Plays a story that tells facts early and asks for them late. */
export async function playRecall(table: Table, turns: number): Promise<Answered[]> {
  const story = await begin(table, 'Lantern Shelf')
  const toldAt = new Map<number, number>()
  const answers: Answered[] = []
  for (const [at, step] of recallCourse(turns).entries()) {
    const play = await playStep(table, story, { in: 'main', kind: step.kind, text: step.text })
    console.error(
      `${at + 1}/${turns} ${((play.ended - play.began) / 1_000).toFixed(1)} s${play.error ? ` FAILED: ${play.error.detail}` : ''}`,
    )
    if (step.fact === null) continue
    if (step.asks) answers.push(await answered(table, story, step, toldAt.get(step.fact) ?? -1))
    else toldAt.set(step.fact, story.newestLine()?.index ?? -1)
  }
  return answers
}

async function answered(
  { service }: Table,
  story: Story,
  { text }: RecallStep,
  told: number,
): Promise<Answered> {
  const { id = 0, index: at = 0 } = story.newest() ?? {}
  const { passages, epoch } = await service.json('GET', `${story.path}/actions/${id}/context`)
  const indexes = passages.map(({ index }: { index: number }) => index)
  const isHeld = (epoch?.start ?? 0) <= told
  const inPrompt = indexes.includes(told) ? 'quoted' : isHeld ? 'window' : 'no'
  return { asked: text, told, at, inPrompt, others: indexes.filter((index: number) => index !== told).length }
}

/** Prints a row for each question. Returns how many answers were written without what was told. */
export function printRecall(answers: readonly Answered[]): number {
  console.table(answers)
  const missed = answers.filter(({ inPrompt }) => inPrompt === 'no').length
  console.log(`${answers.length - missed} of ${answers.length} prompts had the passage that was asked for`)
  return missed
}
