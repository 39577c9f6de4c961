import { DICE_NOTE } from '../domain/checks/roll-words.ts'
import type { Message } from '../domain/model/model-request.ts'
import { BLOCK_LABEL, GUIDE_TITLE } from '../domain/world/prompt/guide.ts'
import type { Draw } from './seeded-random.ts'

/** One line of the stat guide, as far as the practice narrator understands it. */
interface GuideEntry {
  path: string
  kind: 'number' | 'counter' | 'options' | 'flag'
  cap: number
  options: string[]
}

const LINE = /^- (\S.*?) \((number that only counts up|number|one of: [^()]*|true or false)\)(.*)$/

/**
 * The state block of a practice reply if the prompt lists stats: a small change or none, so that stats move as they will
 * with a model. One change in ten exceeds its cap, so that players see the referee at work.
 */
export function practiceBlock(messages: readonly Message[], draw: Draw): string {
  const guide = messages.find(({ role, text }) => role === 'system' && text.includes(GUIDE_TITLE))
  if (guide === undefined) return ''
  const entries = readGuide(guide.text, messages.at(-1)?.text ?? '')
  const changes: [string, unknown][] = []
  const pick = (kind: GuideEntry['kind'], oneIn: number): GuideEntry | undefined => {
    const some = entries.filter((one) => one.kind === kind)
    return draw(oneIn) === 0 ? some[draw(Math.max(1, some.length))] : undefined
  }
  const number = draw(10) < 8 ? pick('number', 1) : undefined
  if (number) changes.push([number.path, changeOf(number, draw)])
  const counter = pick('counter', 8)
  if (counter) changes.push([counter.path, 1])
  const chosen = pick('options', 6)
  if (chosen) changes.push([chosen.path, chosen.options[draw(chosen.options.length)] ?? ''])
  const flag = pick('flag', 10)
  if (flag) changes.push([flag.path, draw(2) === 0])
  return `\n\n\`\`\`${BLOCK_LABEL}\n${JSON.stringify(Object.fromEntries(changes))}\n\`\`\``
}

/** An earlier reply without its block. */
export function withoutBlock(text: string): string {
  const at = text.lastIndexOf(`\`\`\`${BLOCK_LABEL}`)
  return at === -1 ? text : text.slice(0, at).trimEnd()
}

function changeOf({ cap }: GuideEntry, draw: Draw): number {
  const sign = draw(2) === 0 ? 1 : -1
  if (draw(10) === 0) return sign * cap * 4
  const small = Math.max(1, Math.floor(cap / 2))
  return sign * (cap < 1 ? cap / 2 : 1 + draw(small))
}

// Only characters who are present: the current values name them.
function readGuide(guide: string, live: string): GuideEntry[] {
  // What the dice have changed is left alone, as the note about them asks.
  const counted = live.split('\n').find((line) => line.startsWith(DICE_NOTE)) ?? ''
  return guide.split('\n').flatMap((text): GuideEntry[] => {
    const [, path, kind = '', rest = ''] = LINE.exec(text) ?? []
    if (path === undefined || counted.includes(`${path} `)) return []
    const [section, id] = path.split('.')
    if (section === 'npc' && !live.includes(`(npc.${id}):`)) return []
    const cap = Number(/at most (?:\+?)([\d.]+)/.exec(rest)?.[1] ?? 2)
    const options = kind.startsWith('one of: ') ? kind.slice('one of: '.length).split(', ') : []
    return [{ path, kind: kindOf(kind), cap, options }]
  })
}

function kindOf(words: string): GuideEntry['kind'] {
  if (words === 'number') return 'number'
  if (words.startsWith('number')) return 'counter'
  return words.startsWith('one of') ? 'options' : 'flag'
}
