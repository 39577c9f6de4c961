// The engine's process: loads a model file and answers the service over a pipe.

import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'
import { availableParallelism } from 'node:os'
import type { EngineAnswer, EngineCommand, EngineLoad, LoadedModel } from '../protocol.ts'
import { BadRequest, generate, type OpenModel } from './generate.ts'
import { type EngineLibrary, loadLibrary, openLlama, type TemplateClass } from './library.ts'
import { PromptTokens } from './template.ts'

const [folder = ''] = process.argv.slice(2)
let open: (OpenModel & { prompts: PromptTokens }) | null = null
let packages: { library: EngineLibrary; Template: TemplateClass } | null = null
const aborted = new Set<number>()
let last: Promise<void> = Promise.resolve()

// Commands run one after another: there is only one sequence.
process.on('message', (command: EngineCommand) => {
  if (command.do === 'abort') aborted.add(command.id)
  else last = last.then(() => answer(command))
})
// The service has ended.
process.on('disconnect', () => process.exit(0))
goOffline()

async function answer(command: Exclude<EngineCommand, { do: 'abort' }>): Promise<void> {
  try {
    await work(command)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // A template raises plain errors, for example about a role that it does not have.
    const isRequest = error instanceof BadRequest || (open !== null && /role|template/i.test(message))
    send({ id: command.id, kind: 'error', message, isRequest })
  }
  aborted.delete(command.id)
}

async function work(command: Exclude<EngineCommand, { do: 'abort' }>): Promise<void> {
  const { id } = command
  if (command.do === 'check') {
    await openLlama((await fetched()).library)
    return send({ id, kind: 'checked' })
  }
  if (command.do === 'load') return send({ id, kind: 'loaded', model: await load(id, command) })
  if (open === null) throw new Error('No model is loaded.')
  if (command.do === 'count')
    return send({ id, kind: 'counted', tokens: open.prompts.of(command.prompt, command.template).length })
  const { request } = command
  const tokens = open.prompts.of(request.prompt, request.template ?? {})
  const made = await generate(open, tokens, request, {
    reading: (read, cached, total) => send({ id, kind: 'reading', read, cached, total }),
    text: (text) => send({ id, kind: 'text', text }),
    isAborted: () => aborted.has(id),
  })
  send({ id, kind: 'end', ...made })
}

async function fetched() {
  packages ??= await loadLibrary(folder)
  return packages
}

async function load(id: number, { path, window, threads }: EngineLoad): Promise<LoadedModel> {
  const { library, Template } = await fetched()
  const llama = await openLlama(library)
  const onLoadProgress = (progress: number) => send({ id, kind: 'loading', progress })
  const model = await llama.loadModel({ modelPath: path, onLoadProgress })
  // Threads wait for the slowest of them, so one core is left to the browser and the system.
  const most = Math.max(1, Math.min(llama.cpuMathCores, availableParallelism()) - 1)
  const context = await model.createContext({ contextSize: window, sequences: 1, threads: threads || most })
  const sequence = context.getSequence()
  open = { library, llama, model, sequence, prompts: new PromptTokens(library, model, Template) }
  return {
    window: context.contextSize,
    threads: threads || most,
    gpu: llama.gpu || '',
    gpu_layers: model.gpuLayers,
    layers: model.fileInsights.totalLayers,
  }
}

function send(message: EngineAnswer): void {
  process.send?.(message)
}

/**
 * Blocks connections of the engine's packages: they see stories, and are not our code. They do not use Bun's own
 * functions.
 */
function goOffline(): void {
  const refuse = (): never => {
    throw new Error('The engine opens no connections.')
  }
  const refuseLater = async () => refuse()
  Object.assign(globalThis, { fetch: refuseLater, WebSocket: refuse, EventSource: refuse })
  Object.assign(net.Socket.prototype, { connect: refuse })
  Object.assign(net, { connect: refuse, createConnection: refuse })
  Object.assign(dgram, { createSocket: refuse })
  Object.assign(dns, { lookup: refuse, resolve: refuse })
}
