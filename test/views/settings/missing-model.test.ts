import { expect, test } from 'bun:test'
import { startWithModel } from '../../support/service/with-model.ts'

test('a server that is saved without a model is said to lack one, with those that it has', async () => {
  const { endpoint, server } = await startWithModel()
  const save = async (fields: Record<string, string>) =>
    (await server.ask('/settings', { method: 'POST', body: new URLSearchParams(fields) })).text()
  const page = await save({ endpoint_url: endpoint.url, model: '' })
  expect(page).toContain('No model is chosen yet.')
  expect(page).toMatch(/<ul class="models">.*name="model" value="test-model"/s)
  expect(await (await server.ask('/settings')).text()).toContain('No model is chosen yet.')
  const chosen = await save({ endpoint_url: endpoint.url, model: 'test-model' })
  expect(chosen).not.toContain('No model is chosen')
  expect(chosen).not.toContain('class="models"')
  expect(await save({ endpoint_url: '', model: '' })).not.toContain('No model is chosen')
})
