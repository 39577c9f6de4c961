import type { Page } from 'playwright-core'
import { gate, type ScriptedEndpoint, say, sayAround } from '../endpoint/endpoint.ts'
import { playTurn } from '../service/events.ts'
import type { TestServer } from '../service/server.ts'
import { visit } from './browser.ts'

/** The first reply of a story that {@link openStory} has opened, and the beginning of one that {@link beginTurn} begins. */
export const FIRST = 'The lamp burns.'
export const HALF = 'Half a tale'

/** A story with one turn, and its page. Accepts every dialog, and lists them in `asked`. */
export async function openStory(
  server: TestServer,
  endpoint: ScriptedEndpoint,
  options: Parameters<typeof visit>[1] = {},
) {
  const { body } = await server.post('/api/adventures', { title: 'Interrupted' })
  endpoint.next(say(FIRST))
  await playTurn(server, body.id, { type: 'do', text: 'look' })
  const { page, faults } = await visit(server.address, options)
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    return dialog.accept()
  })
  await page.goto(`/adventures/${body.id}`)
  return { id: body.id as number, page, faults, asked }
}

/** Sends a line, whose reply begins and goes on when the gate is opened. */
export async function beginTurn(page: Page, endpoint: ScriptedEndpoint, told = HALF) {
  const end = gate()
  endpoint.next(sayAround(told, end, ' and the rest.'))
  await page.fill('#words', 'wait')
  await page.press('#words', 'Enter')
  await page.locator('#told', { hasText: told }).waitFor()
  return end
}
