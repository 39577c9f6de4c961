import { type CourseResult, playCourse } from './course-run.ts'
import type { Exchange } from './exchange.ts'
import type { ModelServer } from './model-server.ts'
import type { Options } from './options.ts'
import type { Table } from './player.ts'
import { type Answered, playRecall } from './recall-run.ts'
import { RecordingProxy } from './recording-proxy.ts'
import { ServiceProcess } from './service-process.ts'

/** Our window in tokens. */
const WINDOW = 4_096
/** The server's window: larger, because the second call asks after the whole prompt. */
export const SERVER_WINDOW = 6_144
/** Tokens of a passage. No other request has this limit, so it tells the requests for passages apart. */
const REPLY_TOKENS = { long: 121, short: 81 }
/** For many turns in little time: a window of some twenty of them. */
const SMALL = { context_token_budget: 2_048, max_output_tokens: 41 }

/** Everything that one run recorded. */
export interface Session extends CourseResult {
  exchanges: Exchange[]
  outcome: Outcome
}

/** What the service has at the end. */
export interface Outcome {
  memories: number
  summary: boolean
  /** Sentences about texts that differ from what was told. */
  differences: string[]
  /** What the audit of the stories found. */
  findings: string[]
  /** Prompt tokens by the insights of each story, in story order. */
  insights: { index: number; prompt: number }[][]
}

/** Plays the course with a service of its own in this folder. */
export async function playSession(model: ModelServer, options: Options, folder: string): Promise<Session> {
  const replyTokens = REPLY_TOKENS[options.short ? 'short' : 'long']
  const settings = { context_token_budget: WINDOW, max_output_tokens: replyTokens }
  return withTable(model, { ...options, folder, settings }, async (table) => {
    const result = await playCourse(table, options)
    table.proxy.finish()
    const outcome = await outcomeOf(table.service, result)
    return { ...result, exchanges: table.proxy.exchanges, outcome }
  })
}

/** Plays a story of many short turns that asks late for what was told early. */
export function playLongStory(model: ModelServer, options: Options, folder: string): Promise<Answered[]> {
  return withTable(model, { ...options, folder, settings: SMALL }, (table) =>
    playRecall(table, options.turns),
  )
}

interface Place extends Pick<Options, 'project' | 'secondCall'> {
  folder: string
  settings: { context_token_budget: number; max_output_tokens: number }
}

async function withTable<T>(
  model: ModelServer,
  { project, secondCall, folder, settings }: Place,
  play: (table: Table) => Promise<T>,
): Promise<T> {
  const proxy = new RecordingProxy(model.address, settings.max_output_tokens)
  await proxy.start()
  try {
    await using service = await ServiceProcess.start(project, folder)
    await service.json('PUT', '/api/settings', {
      endpoint_url: `${proxy.address}/v1`,
      model: model.model,
      read_timeout_seconds: 900,
      second_call: secondCall,
      ...settings,
    })
    return await play({ service, proxy, model })
  } finally {
    proxy.stop()
  }
}

async function outcomeOf(service: ServiceProcess, { stories }: CourseResult): Promise<Outcome> {
  const outcome: Outcome = { memories: 0, summary: false, differences: [], findings: [], insights: [] }
  for (const story of Object.values(stories)) {
    outcome.memories += (await service.json('GET', `${story.path}/memories`)).length
    outcome.summary ||= (await service.json('GET', story.path)).story_summary !== ''
    outcome.differences.push(...(await story.differences()))
    const { findings } = await service.json('GET', `${story.path}/audit`)
    outcome.findings.push(
      ...findings.map((one: { index: number; what: string }) => `${one.index}: ${one.what}`),
    )
    outcome.insights.push((await service.json('GET', `${story.path}/insights`)).costs)
  }
  return outcome
}
