import {
  type RecordedBody,
  type ScriptedEndpoint,
  say,
  startEndpoint,
} from '../../test/support/endpoint/endpoint.ts'
import { begin } from './course-run.ts'
import { type LabelledChange, type LabelledPassage, SCORED_STORY, type ScoredTurn } from './scored-story.ts'
import { ServiceProcess } from './service-process.ts'
import { eventsOf } from './sse.ts'
import type { Story } from './story.ts'

/** What a version sends to the model for one turn. */
export interface RecordedTurn {
  at: number
  line: string
  /** The request for the passage. */
  request: RecordedBody
  /** The replies that it was given, and its questions about them. */
  passages: RecordedPassage[]
}

export interface RecordedPassage extends LabelledPassage {
  /** The flags and texts before it, by path. */
  before: Record<string, unknown>
  /** The request for its changes; null if there was none. */
  recorder: RecordedBody | null
}

/** Tokens of a passage. No other request has this limit. */
const REPLY_TOKENS = 161
const WINDOW = 8_192
/** The server's window: room for several replies, and for a question after the whole prompt. */
export const SCORE_WINDOW = 12_288
/** The name of the block in which versions up to 0.13 had the narrator report changes. */
const BLOCK = 'state_delta'

/** Plays the scored story with stored replies against a version of the project, and returns the requests that it made. */
export async function recordTurns(project: string, folder: string): Promise<RecordedTurn[]> {
  await using endpoint = await startEndpoint()
  endpoint.pages.set('/props', { default_generation_settings: { n_ctx: WINDOW }, total_slots: 1 })
  await using service = await ServiceProcess.start(project, folder)
  await service.json('PUT', '/api/settings', {
    endpoint_url: endpoint.url,
    model: 'test-model',
    context_token_budget: WINDOW,
    max_output_tokens: REPLY_TOKENS,
  })
  const stories = new Map<string, Story>()
  const recorded: RecordedTurn[] = []
  for (const [at, turn] of SCORED_STORY.entries()) {
    const story = stories.get(turn.story) ?? (await beginPlain(service, turn.story))
    stories.set(turn.story, story)
    recorded.push({ at, line: turn.line, ...(await recordTurn(endpoint, service, story, turn)) })
  }
  return recorded
}

/** A story without memories and a summary, which would depend on the time that the machine takes. */
async function beginPlain(service: ServiceProcess, title: string): Promise<Story> {
  const story = await begin({ service }, title)
  await service.json('PATCH', story.path, { auto_summarize: false, memory_bank_enabled: false })
  return story
}

async function recordTurn(
  endpoint: ScriptedEndpoint,
  service: ServiceProcess,
  story: Story,
  turn: ScoredTurn,
): Promise<Pick<RecordedTurn, 'request' | 'passages'>> {
  const { kind, line, retried } = turn
  const body = { type: kind, ...(line === '' ? {} : { text: line }) }
  const before = await valuesOf(service, story)
  const requests: RecordedBody[] = []
  const passages: RecordedPassage[] = []
  for (const { passage, changes } of retried ? [retried, turn] : [turn]) {
    const from = endpoint.requests.length
    const asked = endpoint.recorderRequests.length
    answerWith(endpoint, passage, changes)
    const isFirst = passages.length === 0
    await playTo(service, `${story.path}/${isFirst ? 'actions' : 'retry'}`, isFirst ? body : undefined)
    const bodies = endpoint.requests.slice(from).flatMap((request) => request.body ?? [])
    requests.push(...bodies.filter(isStory))
    const recorder = endpoint.recorderRequests[asked]?.body ?? bodies.findLast(hasSchema) ?? null
    passages.push({ passage, changes, before, recorder })
  }
  const [request] = requests
  if (!request) throw new Error(`No request for a passage after "${line}".`)
  return { request, passages }
}

/** The flags and texts of a story by path. */
async function valuesOf(service: ServiceProcess, story: Story): Promise<Record<string, unknown>> {
  const { state } = await service.json('GET', `${story.path}/world-state`)
  const { _meta, milestones: _milestones, ...rest } = state
  return Object.fromEntries(leavesOf(rest, '').filter(([, value]) => typeof value !== 'number'))
}

function leavesOf(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, path === '' ? key : `${path}.${key}`),
  )
}

async function playTo(service: ServiceProcess, path: string, body?: object): Promise<void> {
  for await (const event of eventsOf(await service.ask('POST', path, body)))
    if (event.type === 'error') throw new Error(event.detail)
}

function isStory({ max_tokens }: RecordedBody): boolean {
  return max_tokens === REPLY_TOKENS
}

function hasSchema(body: RecordedBody): boolean {
  return 'response_format' in body
}

/** Answers a request for a passage with this one, with a block where the prompt asks for it, and any other with its changes. */
function answerWith(endpoint: ScriptedEndpoint, passage: string, changes: readonly LabelledChange[]): void {
  const changed = say(JSON.stringify({ edits: editsOf(passage, changes) }))
  endpoint.recordWith(changed)
  endpoint.byDefault((exchange) => {
    const { body } = exchange.request
    return body && isStory(body) ? say(replyTo(body, passage, changes))(exchange) : changed(exchange)
  })
}

function replyTo(
  { messages = [] }: RecordedBody,
  passage: string,
  changes: readonly LabelledChange[],
): string {
  if (!messages.some(({ content }) => content.includes(BLOCK))) return passage
  const delta = Object.fromEntries(changes.map(({ path, by, to }) => [path, by ?? to]))
  return `${passage}\n\n\`\`\`${BLOCK}\n${JSON.stringify(delta)}\n\`\`\``
}

function editsOf(passage: string, changes: readonly LabelledChange[]): object[] {
  return changes.map((change) => ({
    because: sentenceOf(passage, change),
    changes: [{ path: change.path, ...(change.by === undefined ? { to: change.to } : { by: change.by }) }],
  }))
}

/** The sentence of a passage that describes a change. */
export function sentenceOf(passage: string, { words }: LabelledChange): string {
  const sentence = sentencesOf(passage).find((one) => one.includes(words))
  if (sentence === undefined) throw new Error(`No sentence with "${words}".`)
  return sentence
}

export function sentencesOf(text: string): string[] {
  const found = text.match(/[^.!?…\n]+[.!?…]*["”’')\]]*\s*/g) ?? []
  return found.map((one) => one.trim()).filter((one) => /\w/.test(one))
}
