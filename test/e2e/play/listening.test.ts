import { beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, visit } from '../../support/browser/browser.ts'
import { LOCAL, LOCAL_GERMAN, REMOTE, stubVoices, type Voices } from '../../support/browser/voices.ts'
import { gate, say, sayAround } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

/** In the page: see `stubVoices`. */
declare const voices: Voices

const TOLD = 'You hear *the* sea. He asks you who is there.\n\nThe lamp is lit, and you go to it.'
const GERMAN = 'Der Regen hat aufgehört, und die Straße ist still. Du hörst die Glocke nicht.'

describe.skipIf(!hasBrowser)('reading aloud', () => {
  let page: Page
  let faults: string[]
  beforeEach(async () => {
    ;({ page, faults } = await visit(server.address, { reducedMotion: 'reduce' }))
  })

  async function begin(list: Parameters<typeof stubVoices>[0], told = TOLD): Promise<void> {
    const { body } = await server.post('/api/adventures', { title: 'Heard' })
    endpoint.next(say(told))
    await playTurn(server, body.id, { type: 'do', text: 'look at the sea' })
    await page.addInitScript(stubVoices, list)
    await page.goto(`/adventures/${body.id}`)
    await page.waitForFunction(() => document.querySelector('#composer[data-htmx-powered]'))
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const last = () => page.locator('#story > article').last()
  const listen = async (passage = last()) => {
    await passage.hover()
    await passage.getByRole('button', { name: 'Listen' }).click()
  }
  const spoken = () => page.evaluate(() => voices.spoken)
  const words = async () => (await spoken()).map((one) => one.words)
  const finish = () => page.evaluate(() => voices.finish())
  const marked = () =>
    page.evaluate(() => [...(CSS.highlights.get('spoken') ?? [])].map((range) => String(range)))
  const isSpeaking = (wanted: boolean) => eventually(() => page.evaluate(() => voices.isSpeaking()), wanted)
  const heard = (sentence: string) =>
    page.waitForFunction((wanted) => voices.spoken.at(-1)?.words === wanted, sentence)

  test('is not offered without a voice on the device, and is when one comes', async () => {
    await begin([REMOTE])
    expect(await page.locator('.listen:visible').count()).toBe(0)
    await page.evaluate((voice) => voices.become([voice]), LOCAL)
    await listen()
    await eventually(async () => (await spoken()).length, 1)
    await page.evaluate((voice) => voices.become([voice]), REMOTE)
    await eventually(() => page.locator('.listen:visible').count(), 0)
    // Nothing more is said, rather than by a voice that is elsewhere.
    await finish()
    await page.locator('#listening').waitFor({ state: 'hidden' })
    expect(await spoken()).toHaveLength(1)
    expect(faults).toEqual([])
  })

  test('is not offered by a browser that has no voices at all', async () => {
    await begin([])
    expect(await page.locator('.listen:visible').count()).toBe(0)
  })

  test('goes sentence by sentence, each marked, from any passage to the next', async () => {
    await begin([REMOTE, LOCAL_GERMAN, LOCAL])
    await listen(page.locator('#story > article.line'))
    const sentences = [
      'You look at the sea.',
      'You hear the sea.',
      'He asks you who is there.',
      'The lamp is lit, and you go to it.',
    ]
    for (const sentence of sentences) {
      await heard(sentence)
      await eventually(marked, [sentence])
      await finish()
    }
    await eventually(marked, [])
    expect(await words()).toEqual(sentences)
    expect(new Set((await spoken()).map(({ voice, lang }) => `${voice} ${lang}`))).toEqual(
      new Set(['Here en-GB']),
    )
    expect(faults).toEqual([])
  })

  test('pauses, continues with the same sentence, changes its speed, and stops', async () => {
    await begin([LOCAL])
    await listen()
    await finish()
    await heard('He asks you who is there.')
    await button('Pause').click()
    await isSpeaking(false)
    await button('Resume').click()
    await page.getByLabel('Speed').selectOption('1.5')
    await eventually(
      async () => (await spoken()).map((one) => [one.words, one.rate]),
      [
        ['You hear the sea.', 1],
        ['He asks you who is there.', 1],
        ['He asks you who is there.', 1],
        ['He asks you who is there.', 1.5],
      ],
    )
    await button('Stop reading').click()
    await isSpeaking(false)
    await eventually(marked, [])
    await page.locator('#listening').waitFor({ state: 'hidden' })
    await last().and(page.locator(':focus')).waitFor()
    // Anew, from its beginning.
    await listen()
    await heard('You hear the sea.')
  })

  test('continues while a passage streams, and waits for incomplete sentences', async () => {
    await begin([LOCAL])
    await listen()
    for (let i = 0; i < 3; i++) await finish()
    const rest = gate()
    endpoint.next(sayAround('It rains. And then', rest, ' it pours. All is wet'))
    await page.fill('#words', 'wait')
    await page.press('#words', 'Enter')
    await heard('You wait.')
    await page.locator('#told', { hasText: 'And then' }).waitFor()
    await finish()
    await heard('It rains.')
    await finish()
    expect((await words()).at(-1)).toBe('It rains.')
    rest.open()
    await heard('And then it pours.')
    await page.waitForSelector('#telling', { state: 'detached' })
    await eventually(marked, ['And then it pours.'])
    await finish()
    await heard('All is wet')
    await eventually(marked, ['All is wet'])
    expect((await words()).slice(3)).toEqual(['You wait.', 'It rains.', 'And then it pours.', 'All is wet'])
  })

  test('reads another version of a passage from its beginning', async () => {
    await begin([LOCAL])
    await listen()
    endpoint.next(say('Anew it rains. And pours.'))
    await button('Retry').click()
    await page.waitForSelector('#telling, .htmx-request', { state: 'detached' })
    await finish()
    await heard('Anew it rains.')
  })

  test('has the voice of the story’s language, where there is one', async () => {
    await begin([LOCAL, LOCAL_GERMAN], GERMAN)
    await listen()
    await eventually(spoken, [
      {
        words: 'Der Regen hat aufgehört, und die Straße ist still.',
        voice: 'Hier',
        lang: 'de_DE',
        rate: 1,
      },
    ])
  })
})
