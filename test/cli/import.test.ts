import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listAdventures } from '../../src/db/tables/adventure-list.ts'
import { listScenarios } from '../../src/db/tables/scenarios.ts'
import { sampleText } from '../formats/samples.ts'
import { openLibrary } from '../support/library/open.ts'
import { programCommand } from '../support/service/program-command.ts'
import { startServer } from '../support/service/server.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function run(path: string, ...args: string[]): Promise<{ code: number; said: string }> {
  const child = Bun.spawn([...programCommand(), 'import', ...args], {
    env: { PATH: process.env.PATH ?? '', APP_DB_PATH: path },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  return { code: await child.exited, said }
}

function folderOfFiles(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'chats'))
  writeFileSync(join(folder, 'Odo.json'), sampleText('card-v1.json'))
  writeFileSync(join(folder, 'chats', 'One night.jsonl'), sampleText('chat-old.jsonl'))
  writeFileSync(join(folder, 'broken.json'), '{')
  return folder
}

test('files and folders are imported from the command line, and nothing twice', async () => {
  const [folder, path] = [folderOfFiles(), join(temporaryFolder(), 'library.db')]
  const { code, said } = await run(path, folder)
  expect([code, String(said)]).toEqual([0, expect.stringContaining('imported: 1. Stories imported: 1.')])
  expect(said).toContain('broken.json: This file begins like JSON, but it is broken or cut off.')
  const count = () => {
    using library = openLibrary(path)
    return [listScenarios(library.reader).length, listAdventures(library.reader).length]
  }
  const [scenarios = 0, stories = 0] = count()
  expect(stories).toBe(1)
  expect(await run(path, folder)).toMatchObject({ code: 1, said: expect.stringContaining('already') })
  expect(count()).toEqual([scenarios, 1])
  expect(await run(path, folder, '--duplicates')).toMatchObject({ code: 0 })
  expect(count()).toEqual([scenarios + 1, 2])
  expect(readdirSync(folder, { recursive: true })).toHaveLength(4)
})

test('nothing is imported without a file, or into a library that is in use', async () => {
  const server = await startServer()
  const folder = folderOfFiles()
  expect(await run(server.path)).toMatchObject({ code: 1, said: expect.stringContaining('Name the files') })
  expect(await run(server.path, join(folder, 'none'))).toMatchObject({
    code: 1,
    said: expect.stringContaining('nothing at'),
  })
  const before = (await server.get('/api/adventures')).body
  expect(await run(server.path, folder)).toMatchObject({
    code: 1,
    said: expect.stringContaining('Stop it first'),
  })
  expect((await server.get('/api/adventures')).body).toEqual(before)
})
