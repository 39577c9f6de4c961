import type { Step } from './course.ts'
import { lastUserMessage } from './exchange.ts'
import type { ModelServer } from './model-server.ts'
import { isTurn, isTyped, type Play } from './play.ts'
import type { RecordingProxy } from './recording-proxy.ts'
import type { ServiceProcess } from './service-process.ts'
import { eventsOf } from './sse.ts'
import type { Story } from './story.ts'

/** What a step is played with. */
export interface Table {
  service: ServiceProcess
  proxy: RecordingProxy
  model: ModelServer
}

/** Plays one step over the API. A turn that fails is recorded, any other failure is thrown. */
export async function playStep(table: Table, story: Story, step: Step): Promise<Play> {
  const play = emptyPlay(step)
  table.proxy.action = step.kind
  if (isTurn(step)) await playTurn(table, story, step, play)
  else await makeChange(table.service, story, step)
  play.ended = performance.now()
  table.proxy.action = ''
  if (isTurn(step)) await addRecords(table, story, play)
  return play
}

function emptyPlay(step: Step): Play {
  return {
    story: step.in,
    kind: step.kind,
    line: isTyped(step) ? step.text : '',
    began: performance.now(),
    ended: 0,
    firstWords: null,
    streamed: '',
    shown: '',
    error: null,
    epoch: '',
    stored: null,
    first: null,
    request: null,
    newTokens: null,
  }
}

async function playTurn({ service }: Table, story: Story, step: Step, play: Play): Promise<void> {
  const body = isTyped(step) ? { type: step.kind, ...(step.text ? { text: step.text } : {}) } : undefined
  const response = await service.ask('POST', `${story.path}/${body ? 'actions' : 'retry'}`, body)
  let isOver = false
  for await (const event of eventsOf(response)) {
    if (event.type === 'player') story.put(event.action)
    if (event.type === 'chunk') {
      play.firstWords ??= performance.now() - play.began
      play.streamed += event.text
    }
    if (event.type === 'error') play.error = { code: event.code, detail: event.detail }
    if (event.type === 'done') {
      story.put(event.action)
      play.shown = event.action.text
    }
    isOver ||= event.type === 'done' || event.type === 'error'
  }
  if (!isOver) play.error = { code: '', detail: `The stream ended early with status ${response.status}.` }
}

async function makeChange(service: ServiceProcess, story: Story, step: Step): Promise<void> {
  if (step.kind === 'undo') {
    const { actions } = await service.json('POST', `${story.path}/undo`)
    story.dropAfter(actions.at(-1)?.index ?? -1)
    return
  }
  const action = step.kind === 'edit old' ? story.old() : story.newest()
  if (!action) return
  const path = `${story.path}/actions/${action.id}`
  if (step.kind === 'switch') {
    story.put(await service.json('POST', `${path}/variant`, { index: 0 }))
    return
  }
  const text = `${action.text.split('. ')[0]}. Nobody speaks for a while.`
  story.put(await service.json('PATCH', path, { text }))
}

/** Adds what the proxy and the service recorded about the turn. */
async function addRecords({ service, proxy, model }: Table, story: Story, play: Play): Promise<void> {
  const requests = proxy.exchanges.filter(({ kind, began }) => kind === 'story' && began >= play.began)
  play.first = requests[0] ?? null
  play.request = requests.at(-1) ?? null
  if (play.request) play.newTokens = await model.countTokens(lastUserMessage(play.request))
  const action = story.newest()
  if (play.error || !action) return
  const prompt = await service.json('GET', `${story.path}/actions/${action.id}/context`)
  play.epoch = prompt.epoch?.reason ?? ''
  const { prompt_tokens = null, completion_tokens = null } = prompt.usage ?? {}
  const counted = prompt.tokens?.method === 'exact' ? prompt.tokens.total : null
  play.stored = { prompt_tokens, completion_tokens, counted }
}
