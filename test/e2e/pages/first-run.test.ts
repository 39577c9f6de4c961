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

  test('sees all servers of the machine below each other, also on a phone', async () => {
    await using one = await startEndpoint()
    await using other = await startEndpoint()
    const urls = [one.url, other.url]
    for (const url of urls) allowTarget(url.replace('127.0.0.1', '[::1]'))
    const server = await startServer({ narrator: { ports: urls.map((url) => Number(new URL(url).port)) } })
    const { page } = await visit(server.address, { viewport: { width: 390, height: 844 } })
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Find model servers on this machine' }).click()
    const found = page.locator('#found .found > li')
    await found.nth(1).waitFor()
    expect(await found.locator('> strong').allInnerTexts()).toEqual(['Model server', 'Model server'])
    const boxes = await Promise.all((await found.all()).map((li) => li.boundingBox()))
    expect(new Set(boxes.map((box) => box?.x)).size).toBe(1)
    expect(boxes.every((box) => box !== null && box.x + box.width <= 390)).toBe(true)
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
