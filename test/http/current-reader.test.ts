import { describe, expect, test } from 'bun:test'
import { localeFrom } from '../../src/http/current-reader.ts'
import { startServer } from '../support/service/server.ts'

describe('the locale of a reader', () => {
  const cases: [header: string, locale: string][] = [
    ['de-DE,de;q=0.9,en;q=0.8', 'en-DE'],
    ['en', 'en-US'],
    ['en-US,en;q=0.5', 'en-US'],
    ['fr', 'en-FR'],
    ['zh-Hant-TW', 'en-TW'],
    ['ar-EG', 'en-EG'],
    ['', 'en-GB'],
    ['*', 'en-GB'],
    ['de-ZQ', 'en-GB'],
    ['x'.repeat(10_000), 'en-GB'],
    ['en_US; drop', 'en-GB'],
  ]
  for (const [header, locale] of cases)
    test(header.slice(0, 40) || 'none', () => expect(localeFrom(header)).toBe(locale))
})

test('dates and numbers of every page are those of the reader’s country', async () => {
  const server = await startServer({ now: () => new Date('2025-06-01T12:00:00Z') })
  const { body: story } = await server.post('/api/adventures', { title: 'Rock' })
  server.deps.library.write((tx) =>
    tx.run("UPDATE adventures SET action_count = 12345, updated_at = '2025-01-04 12:00:00.000000'"),
  )
  const shown = async (language: string, path = '/') => {
    const headers = language === '' ? {} : { 'Accept-Language': language }
    const html = await (await server.ask(path, { headers })).text()
    const [, passages] = /([\d.,\s’']+) passages/.exec(html) ?? []
    return [passages?.trim().replace(/\s/g, ' '), /<time [^>]*>([^<]*)</.exec(html)?.[1]]
  }
  // The requests of readers do not meet.
  const all = await Promise.all(['', 'en-US', 'en-IN', 'de', 'sv-SE'].map((language) => shown(language)))
  expect(all).toEqual([
    ['12,345', '4 January 2025'],
    ['12,345', 'January 4, 2025'],
    ['12,345', '4 January 2025'],
    ['12.345', '4 January 2025'],
    ['12 345', '4 January 2025'],
  ])
  expect((await server.get(`/api/adventures/${story.id}`)).body.updated_at).toStartWith('2025-01-04T')
})
