import { LONG, SHORT, type Step, type StoryName } from './course.ts'
import type { Play } from './play.ts'
import { playStep, type Table } from './player.ts'
import { Story } from './story.ts'

/** How the course is played. */
export interface Pace {
  short: boolean
  /** Milliseconds from the end of a reply, or from opening a story, to the next step. */
  pause: number
}

/** What a run leaves behind. */
export interface CourseResult {
  plays: Play[]
  stories: Record<StoryName, Story>
}

/** The starter scenario of each story, by a word in its title. */
const SCENARIOS = {
  long: { main: 'Nine Bells', other: 'Lantern Shelf' },
  short: { main: 'Lantern Shelf', other: 'Saltmere' },
}

const ANSWERS = ['Mira', 'a brass whistle', 'the Lower Dial']
/** Milliseconds that the background work may take after the last step. */
const LAST_WORK = 180_000

/** Plays the whole course, then waits until the background work is done. */
export async function playCourse(table: Table, { short, pause }: Pace): Promise<CourseResult> {
  const titles = SCENARIOS[short ? 'short' : 'long']
  const stories = { main: await begin(table, titles.main), other: await begin(table, titles.other) }
  const plays: Play[] = []
  const course = short ? SHORT : LONG
  let open: StoryName | undefined
  for (const [at, step] of course.entries()) {
    if (step.in !== open) await stories[step.in].open()
    open = step.in
    await Bun.sleep(pause)
    const play = await playStep(table, stories[step.in], step)
    plays.push(play)
    console.error(progressLine(at + 1, course.length, step, play))
  }
  await table.proxy.idle(5_000, LAST_WORK)
  return { plays, stories }
}

function progressLine(at: number, of: number, step: Step, play: Play): string {
  const seconds = ((play.ended - play.began) / 1_000).toFixed(1)
  const first =
    play.firstWords === null ? '' : `, first words after ${(play.firstWords / 1_000).toFixed(1)} s`
  return `${at}/${of} ${step.kind}: ${seconds} s${first}${play.error ? ` FAILED: ${play.error.detail}` : ''}`
}

/** Begins a story from the starter scenario with a word in its title. */
export async function begin({ service }: Pick<Table, 'service'>, title: string): Promise<Story> {
  const scenarios: { id: number; title: string }[] = await service.json('GET', '/api/scenarios')
  const scenario = scenarios.find((one) => one.title.includes(title))
  if (!scenario) throw new Error(`There is no starter scenario with "${title}" in its title.`)
  const { questions } = await service.json('GET', `/api/scenarios/${scenario.id}`)
  const answers = questions.map((name: string, at: number) => [name, ANSWERS[at] ?? 'a secret'])
  const body = { scenario_id: scenario.id, placeholders: Object.fromEntries(answers) }
  const { id, actions } = await service.json('POST', '/api/adventures', body)
  return new Story(service, id, actions)
}
