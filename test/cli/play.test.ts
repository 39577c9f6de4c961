import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { modelFile } from '../support/engine/fake-engine.ts'
import { addressOf, outputOf, refusalOf, spawnProgram } from '../support/service/process.ts'
import { temporaryFolder } from '../support/temporary.ts'

const library = () => ({ APP_PORT: '0', APP_DB_PATH: join(temporaryFolder(), 'library.db') })

test('a model file is played with one command, and nothing is downloaded without being asked for', async () => {
  const child = spawnProgram('play', library(), [modelFile('lamp.gguf'), '--no-open'])
  const address = await addressOf(child)
  expect(new URL(address).pathname).toBe('/settings/engine')
  const page = await (await fetch(address)).text()
  expect(page).toContain('lamp.gguf')
  expect(page).toContain('Get the engine')
  const settings = await (await fetch(new URL('/api/settings', address))).json()
  expect(settings).toMatchObject({ model_file: expect.stringContaining('lamp.gguf'), practice: false })
  await outputOf(child)
  expect(await child.exited).toBe(0)
})

test.each<[string, string[], string]>([
  ['no file', [], 'Name one model file'],
  ['a file that is not there', ['/nowhere/lamp.gguf'], 'There is no file at /nowhere/lamp.gguf.'],
  ['a file of another format', [import.meta.path], 'not a model file'],
  ['an unknown option', ['lamp.gguf', '--fast'], 'There is no option "--fast"'],
])('%s is refused in a sentence', async (_, args, sentence) => {
  const { code, said } = await refusalOf(spawnProgram('play', library(), args))
  expect([code, said]).toEqual([1, expect.stringContaining(sentence)])
})
