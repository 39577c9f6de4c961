import { expect, test } from 'bun:test'
import {
  presetOf,
  SAMPLING_PRESETS,
  type SamplingPreset,
} from '../../../src/domain/model/sampling-presets.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const save = (fields: Record<string, string>) =>
  server.ask('/settings', { method: 'POST', body: new URLSearchParams(fields) })

test('every preset knows itself, and other numbers are none', () => {
  for (const [name, sampling] of Object.entries(SAMPLING_PRESETS))
    expect(presetOf(sampling)).toBe(name as SamplingPreset)
  expect(presetOf({ ...SAMPLING_PRESETS.balanced, temperature: 0.81 })).toBeNull()
})

test('a new library is balanced; a preset replaces the numbers of the form and keeps the rest', async () => {
  const pressed = async () =>
    /value="(\w+)" aria-pressed="true"/.exec(await (await server.ask('/settings')).text())?.[1]
  expect(await pressed()).toBe('balanced')
  await save({ temperature: '3', min_p: '0.9', read_timeout_seconds: '77', preset: 'wild' })
  expect((await server.get('/api/settings')).body).toMatchObject({
    ...SAMPLING_PRESETS.wild,
    read_timeout_seconds: 77,
  })
  expect(await pressed()).toBe('wild')
  await save({ temperature: '3' })
  expect(await pressed()).toBeUndefined()
})
