import { describe, expect, test } from 'bun:test'
import { hasBrowser, passages, visit } from '../../support/browser/browser.ts'
import { allowTarget } from '../../support/endpoint/allowed-targets.ts'
import { say, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { startServer } from '../../support/service/server.ts'

describe.skipIf(!hasBrowser)('a new player', () => {
  test('gets a first passage from the model server of the machine with three clicks', async () => {
    await using endpoint = await startEndpoint()
    // Both IPv4 and IPv6 loopback addresses are searched.
    allowTarget(endpoint.url.replace('127.0.0.1', '[::1]'))
    const server = await startServer({ narrator: { ports: [Number(new URL(endpoint.url).port)] } })
    endpoint.byDefault(say('The rain has a voice.'))
    const { page, faults } = await visit(server.address)
    await page.goto('/')
    await page.getByRole('button', { name: 'Use test-model' }).click()
    await page.getByRole('status').filter({ hasText: 'this model is the narrator now' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await page.getByRole('button', { name: 'Play a first story' }).click()
    await page.locator('#composer[data-htmx-powered]').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('#story').getByText('The rain has a voice.').waitFor()
    expect((await passages(page)).length).toBe(2)
    expect(faults).toEqual([])
  })

  test('who has settings saved elsewhere stays there', async () => {
    await using endpoint = await startEndpoint()
    const server = await startServer()
    const saved = (referer: string) =>
      server.ask('/settings', {
        method: 'POST',
        headers: { referer: new URL(referer, server.address).href },
        body: new URLSearchParams({ endpoint_url: endpoint.url, model: 'test-model' }),
        redirect: 'manual',
      })
    expect((await saved('/settings')).status).toBe(200)
    const fromFirstPage = await saved('/')
    expect([fromFirstPage.status, fromFirstPage.headers.get('location')]).toEqual([303, '/?did=connected'])
  })
})
