import { expect, test } from 'bun:test'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { PortableAdventure } from '../../src/domain/portable/portable.ts'
import { WHOLE_STORY } from '../../src/formats/book/passages.ts'
import { hasBrowser } from '../support/browser/browser.ts'
import { depth } from '../support/depth.ts'
import { aceFindings } from '../support/files/ace.ts'
import { makeEpub } from '../support/files/make.ts'
import { AT } from '../support/files/portable.ts'
import { randomStory } from '../support/files/random-story.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** EPUBCheck of the W3C (https://www.w3.org/publishing/epubcheck/), as Debian has it: a program for Java. */
const EPUBCHECK = '/usr/bin/epubcheck'
/** It runs for seconds: what Java does to run longer programs faster would cost more than it saves. */
const JAVA = ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
const isHere = existsSync(EPUBCHECK) && Bun.which('java') !== null

/** What prose of every kind brings: marks of Markdown, other scripts, and characters that XML does not allow. */
const PASSAGES = [
  '# The tower\n\nIt *leans*, and **nobody** climbs it.\n\n- a bell\n- a rope\n\n> Listen.\n\n* * *\n\nNine.',
  'قال الحارس: لا تصعد.',
  '「行け」と彼は言った。',
  'A fox 🦊 & <b>bold</b> ]]> \u0000 \u000b \ufffe.',
]

const books = fc.record({
  story: randomStory,
  passages: fc.shuffledSubarray(PASSAGES),
  attempts: fc.boolean(),
  stats: fc.boolean(),
  player_lines: fc.boolean(),
})

function withPassages(story: PortableAdventure, passages: readonly string[]): PortableAdventure {
  const [opening] = story.actions
  const told = passages.map((text) => ({ ...opening, type: 'story', text }))
  return { ...story, actions: [...story.actions, ...told] as PortableAdventure['actions'] }
}

/** Writes the books of random stories, one after the other, and lets a reader of each judge it. */
async function eachBook(judge: (path: string, folder: string) => Promise<unknown>): Promise<void> {
  const folder = temporaryFolder()
  for (const [i, { story, passages, ...options }] of fc.sample(books, depth('BOOKS')).entries()) {
    const path = join(folder, `${i}.epub`)
    const chapters = i % 2 === 0 ? [] : [{ index: 0, name: 'The <first> part', isHeading: i % 4 === 1 }]
    const about = { cover: null, chapters, at: AT }
    await Bun.write(path, makeEpub(withPassages(story, passages), { ...WHOLE_STORY, ...options }, about))
    await judge(path, folder)
  }
}

const NO_LIMIT = 24 * 3_600_000

test.skipIf(!isHere || depth('BOOKS') === 0)(
  'EPUBCheck finds nothing in the books of random stories',
  () =>
    eachBook(async (path) => {
      const check = Bun.spawn([...JAVA, '-jar', realpathSync(EPUBCHECK), '--failonwarnings', path], {
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const said = (await new Response(check.stderr).text()) + (await new Response(check.stdout).text())
      expect([await check.exited, said]).toEqual([
        0,
        expect.stringContaining('No errors or warnings detected'),
      ])
    }),
  NO_LIMIT,
)

test.skipIf(!hasBrowser || depth('BOOKS') === 0)(
  'Ace finds nothing that hinders a reading aid in the books of random stories',
  () => eachBook(async (path, folder) => expect(await aceFindings(path, folder)).toEqual([])),
  NO_LIMIT,
)
