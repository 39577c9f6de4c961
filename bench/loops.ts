import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type Repetition, RepetitionGuard } from '../src/domain/reply/repetition/repetition-guard.ts'
import { drawFrom } from '../src/practice/seeded-random.ts'

/** How many passages before it stand in the window of each: more than one of 16,384 tokens holds. */
const EARLIER = 200

/**
 * Reads texts that people wrote as if they were replies, in passages of 60 to 250 words, and counts those that are taken for
 * repetitions. Prints these too, to be judged.
 */
export function falseAlarms(paths: readonly string[]): Record<string, Record<string, number>> {
  const rows: Record<string, Record<string, number>> = {}
  const total = { passages: 0, itself: 0, earlier: 0 }
  for (const path of paths) {
    const row = measure(path)
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += row[key]
    rows[basename(path)] = withRate(row)
  }
  return { ...rows, all: withRate(total) }
}

function measure(path: string) {
  const row = { passages: 0, itself: 0, earlier: 0 }
  const passages = passagesOf(readFileSync(path, 'utf8'))
  for (const [i, passage] of passages.entries()) {
    const found = repetitionIn(passage, passages.slice(Math.max(0, i - EARLIER), i))
    row.passages++
    if (found === null) continue
    row[found === 'itself' ? found : 'earlier']++
    console.log(`--- ${basename(path)}: ${found}\n${passage}\n`)
  }
  return row
}

function repetitionIn(passage: string, passages: readonly string[]): Repetition['of'] | null {
  const guard = new RepetitionGuard({ passages, lines: [], notes: [] })
  guard.push(passage)
  return guard.end()?.of ?? guard.toldAgain()
}

function withRate(row: { passages: number; itself: number; earlier: number }) {
  const alarms = row.itself + row.earlier
  return { ...row, 'per 1,000': Number(((1_000 * alarms) / Math.max(1, row.passages)).toFixed(2)) }
}

/** Cuts a text at ends of sentences and paragraphs. */
function passagesOf(text: string): string[] {
  const draw = drawFrom(11)
  const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
  const words = new Intl.Segmenter('en', { granularity: 'word' })
  const passages: string[] = []
  let [passage, count, goal] = ['', 0, 60 + draw(180)]
  for (const { segment } of sentences.segment(text)) {
    passage += segment
    for (const { isWordLike } of words.segment(segment)) if (isWordLike) count++
    if (count < goal) continue
    if (count <= 250) passages.push(passage.trim())
    ;[passage, count, goal] = ['', 0, 60 + draw(180)]
  }
  return passages
}
