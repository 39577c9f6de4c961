import { afterAll, describe, expect, test } from 'bun:test'
import { Engine, EngineLoading, type EngineOptions } from '../../src/engine/engine.ts'
import { EngineError } from '../../src/engine/engine-process.ts'
import type { EngineRequest } from '../../src/engine/protocol.ts'
import { fakeEngine, modelFile } from '../support/engine/fake-engine.ts'

const engines: Engine[] = []
afterAll(() => Promise.all(engines.map((engine) => engine.close())))

function started(more: Partial<EngineOptions> = {}): Engine {
  const engine = new Engine(fakeEngine(more))
  engines.push(engine)
  return engine
}

const REQUEST: EngineRequest = { prompt: 'Once upon a time', max_tokens: 10, temperature: 1, stop: [] }
const never = new AbortController().signal

async function until(engine: Engine, kind: string): Promise<void> {
  while (engine.current().kind !== kind) await Bun.sleep(1)
}

async function told(engine: Engine, path: string, signal = never): Promise<string> {
  let text = ''
  for await (const answer of engine.generate({ path, window: 4_096 }, REQUEST, signal))
    if (answer.kind === 'text') text += answer.text
  return text
}

describe('the engine', () => {
  test('is loaded by the first request, which is notified that it has to wait', async () => {
    const engine = started()
    const path = modelFile()
    expect(engine.current()).toEqual({ kind: 'resting', failure: '' })
    expect(told(engine, path)).rejects.toThrow(EngineLoading)
    await until(engine, 'ready')
    expect(await told(engine, path)).toStartWith('The door opens')
    expect(engine.current()).toMatchObject({ model: { window: 4_096, threads: 1 } })
  })

  test('reloads for another file and another context', async () => {
    const engine = started()
    const path = modelFile()
    engine.load({ path, window: 4_096 })
    await until(engine, 'ready')
    const before = engine.processId()
    engine.load({ path, window: 4_096 })
    expect(engine.processId()).toBe(before)
    engine.load({ path, window: 2_048 })
    expect(engine.current().kind).toBe('loading')
    await until(engine, 'ready')
    expect(engine.current()).toMatchObject({ model: { window: 2_048 } })
    expect(engine.processId()).not.toBe(before)
  })

  test('that dies in a reply says so, and starts again by itself', async () => {
    const engine = started()
    const path = modelFile('slow.gguf')
    engine.load({ path, window: 4_096 })
    await until(engine, 'ready')
    const answers = engine.generate({ path, window: 4_096 }, REQUEST, never)
    await answers.next()
    process.kill(engine.processId() ?? 0, 'SIGKILL')
    const rest = async () => {
      for await (const _ of answers);
    }
    expect(rest()).rejects.toThrow(/stopped unexpectedly/)
    await until(engine, 'loading')
    await until(engine, 'ready')
    expect(await told(engine, path)).toContain('lamp')
  })

  test('that dies while it loads is not started over and over', async () => {
    const engine = started()
    const path = modelFile('crashes.gguf')
    engine.load({ path, window: 4_096 })
    await until(engine, 'resting')
    expect(engine.current()).toMatchObject({ failure: expect.stringContaining('could not be loaded') })
    expect(told(engine, path)).rejects.toThrow(EngineError)
    expect(engine.processId()).toBeNull()
  })

  test('tells why a file cannot be loaded', async () => {
    const engine = started()
    engine.load({ path: modelFile('broken.gguf'), window: 4_096 })
    await until(engine, 'resting')
    expect(engine.current()).toMatchObject({ failure: 'The model could not be loaded. Bad tensor.' })
  })

  test('does not begin where the memory is too small', async () => {
    const engine = started({ availableMemory: () => 1e8 })
    engine.load({ path: modelFile(), window: 4_096 })
    await until(engine, 'resting')
    expect(engine.current()).toMatchObject({ failure: expect.stringMatching(/needs .* of memory/) })
    expect(engine.processId()).toBeNull()
  })

  test('stops at an abort, and answers the next request', async () => {
    const engine = started()
    const path = modelFile('slow.gguf')
    engine.load({ path, window: 4_096 })
    await until(engine, 'ready')
    const abort = new AbortController()
    const answers = engine.generate({ path, window: 4_096 }, REQUEST, abort.signal)
    await answers.next()
    const next = answers.next().then(() => answers.next())
    abort.abort()
    expect(next).rejects.toThrow(/abort/i)
    expect(await told(engine, path)).toStartWith('The door')
  })

  test('is unloaded after a rest, and not during a reply', async () => {
    const engine = started({ idleTimeout: 30 })
    const path = modelFile('slow.gguf')
    engine.load({ path, window: 4_096 })
    await until(engine, 'ready')
    expect(await told(engine, path)).toContain('yard')
    await until(engine, 'resting')
    expect(engine.processId()).toBeNull()
  })

  test('ends its process when it is closed', async () => {
    const engine = started()
    engine.load({ path: modelFile('endless.gguf'), window: 4_096 })
    while (engine.processId() === null) await Bun.sleep(1)
    const pid = engine.processId() ?? 0
    await engine.close()
    expect(() => process.kill(pid, 0)).toThrow()
  })

  test('of another platform is not there, and says what there would be', () => {
    const absent = started({ folder: '/nowhere' })
    expect(absent.current()).toEqual({ kind: 'absent', failure: '' })
    expect(absent.offer()).toMatchObject({ license: 'MIT', megabytes: 49, withGraphics: 76 })
    const impossible = started({ folder: '/nowhere', platform: 'freebsd-x64' })
    expect(impossible.current()).toEqual({ kind: 'impossible' })
    expect(impossible.offer()).toBeNull()
  })
})
