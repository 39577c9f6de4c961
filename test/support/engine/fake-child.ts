// An engine's process without an engine: speaks the same protocol, and fails as a real one can. What it does is named by
// the file name of the model.
import type { EngineAnswer, EngineCommand } from '../../../src/engine/protocol.ts'

const WORDS = 'The door opens and the lamp burns low over the wet stones of the yard.'.split(' ')
let read: string[] = []
let path = ''
const aborted = new Set<number>()
let last: Promise<void> = Promise.resolve()

process.on('disconnect', () => process.exit(0))
process.on('message', (command: EngineCommand) => {
  if (command.do === 'abort') aborted.add(command.id)
  else last = last.then(() => answer(command))
})

async function answer(command: Exclude<EngineCommand, { do: 'abort' }>): Promise<void> {
  const { id } = command
  if (command.do === 'check') return send({ id, kind: 'checked' })
  if (command.do === 'load') {
    path = command.path
    if (path.includes('broken')) return send({ id, kind: 'error', message: 'Bad tensor.', isRequest: false })
    if (path.includes('crashes')) process.kill(process.pid, 'SIGKILL')
    for (const progress of [0, 0.5, 1]) {
      send({ id, kind: 'loading', progress })
      if (path.includes('endless')) return
      await Bun.sleep(1)
    }
    const model = { window: command.window, threads: 1, gpu: '', gpu_layers: 0, layers: 2 }
    return send({ id, kind: 'loaded', model })
  }
  const tokens = tokensOf(command.do === 'count' ? command.prompt : command.request.prompt)
  if (command.do === 'count') return send({ id, kind: 'counted', tokens: tokens.length })
  await tell(id, tokens)
}

async function tell(id: number, tokens: string[]): Promise<void> {
  const differs = tokens.findIndex((token, i) => token !== read[i])
  const cached = differs < 0 ? tokens.length - 1 : differs
  send({ id, kind: 'reading', read: cached, cached, total: tokens.length })
  let written = 0
  for (const word of WORDS) {
    if (aborted.has(id)) break
    send({ id, kind: 'text', text: `${word} ` })
    written++
    await Bun.sleep(path.includes('slow') ? 20 : 1)
  }
  read = [...tokens, ...WORDS.slice(0, written)]
  const usage = { prompt: tokens.length, cached, written, reading: 1, writing: 1 }
  send({ id, kind: 'end', cut: false, usage })
}

function tokensOf(prompt: string | readonly { role: string; content: string }[]): string[] {
  const texts =
    typeof prompt === 'string' ? [prompt] : prompt.flatMap(({ role, content }) => [`<${role}>`, content])
  return texts.flatMap((text) => text.split(/\s+/).filter(Boolean))
}

function send(message: EngineAnswer): void {
  process.send?.(message)
}
