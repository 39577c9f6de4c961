import { expect, test } from 'bun:test'
import { settingsFields } from '../../../src/domain/settings.ts'
import { controlOf, settingsFrom } from '../../../src/views/settings/settings-form.ts'
import { type SettingGroup, settingsIn } from '../../../src/views/settings/settings-list.ts'

const GROUPS: SettingGroup[] = [
  'server',
  'connection',
  'story',
  'sampling',
  'reasoning',
  'stats',
  'embeddings',
  'memory',
]
const items = GROUPS.flatMap(settingsIn)

test('the page has every setting once, but the model file, which has a page of its own', () => {
  const names: string[] = ['model_file', ...items.map(({ name }) => name)]
  expect(names.sort()).toEqual(Object.keys(settingsFields().properties).sort())
})

test('every choice can be saved', () => {
  const choices = items.filter(({ name }) => ['choice', 'boolean'].includes(controlOf(name).kind))
  expect(choices.map(({ name, choices = {} }) => [name, Object.keys(choices)])).toEqual([
    ['api_mode', ['chat', 'completion']],
    ['read_ahead', ['true', 'false']],
    ['loop_guard', ['true', 'false']],
    ['stop_at_player', ['false', 'true']],
    ['reasoning_effort', ['', 'low', 'medium', 'high']],
    ['second_call', ['on', 'never']],
  ])
  for (const { name, choices: values = {} } of choices)
    for (const value of Object.keys(values)) expect(() => settingsFrom({ [name]: value })).not.toThrow()
})
