import { describe, expect, test } from 'bun:test'
import { hasBrowser, visit } from '../../support/browser/browser.ts'
import { gate, say, sayAround } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const { endpoint, server } = await startWithModel()

/** An entry of a browser's trace. */
interface Traced {
  name: string
  args: { elementCount?: number }
}

describe.skipIf(!hasBrowser)('a word that streams in', () => {
  test('does not restyle the page before it', async () => {
    const { body: scenario } = await server.post('/api/scenarios', {
      title: 'Rock',
      stat_schema: LANTERN_ROCK,
    })
    const { body } = await server.post('/api/adventures', { scenario_id: scenario.id })
    for (let turn = 0; turn < 10; turn++) {
      endpoint.next(say('The *tide* **comes** in. '.repeat(25)))
      await playTurn(server, body.id, { type: 'do', text: 'wait' })
    }
    const { page } = await visit(server.address)
    await page.goto(`/adventures/${body.id}`)
    const end = gate()
    endpoint.next(sayAround('And so it', end, ' ends.'))
    await page.fill('#words', 'wait')
    await page.press('#words', 'Enter')
    await page.locator('#told', { hasText: 'And so it' }).waitFor()

    const styled: number[] = []
    const browser = await page.context().newCDPSession(page)
    browser.on('Tracing.dataCollected', ({ value }) => {
      for (const { name, args } of value as unknown as Traced[])
        if (name === 'UpdateLayoutTree') styled.push(args.elementCount ?? Number.POSITIVE_INFINITY)
    })
    await browser.send('Tracing.start', { categories: 'devtools.timeline', transferMode: 'ReportEvents' })
    const all = await page.evaluate(() => {
      const paragraph = document.querySelector('#told > p:last-child')
      for (const tag of ['em', 'em', 'strong', 'em']) {
        paragraph?.append(Object.assign(document.createElement(tag), { textContent: ' word' }))
        paragraph?.getBoundingClientRect()
      }
      return document.querySelectorAll('*').length
    })
    const complete = new Promise((traced) => browser.once('Tracing.tracingComplete', traced))
    await browser.send('Tracing.end')
    await complete
    end.open()
    expect([all > 900, styled.length >= 4]).toEqual([true, true])
    expect(styled.filter((count) => count > all / 3)).toEqual([])
  })
})
