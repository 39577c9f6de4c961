import { readFileSync } from 'node:fs'
// @ts-expect-error: it has no types.
import ace from '@daisy/ace-core'
import { type Browser, chromium } from 'playwright-core'
import { CHROMIUM } from '../browser/browser.ts'

/** What Ace by DAISY finds in a book: the file, the rule and the sentence, a line each. */
export async function aceFindings(path: string, outdir: string): Promise<string[]> {
  const [, { assertions }]: [unknown, AceReport] = await ace(
    path,
    { cwd: outdir, outdir, silent: true, initLogger: true },
    RUNNER,
  )
  return assertions.flatMap(({ 'earl:testSubject': subject, assertions: found }) =>
    found.map(
      ({ 'earl:test': rule, 'earl:result': result }) =>
        `${subject.url}: ${rule['dct:title']}: ${result['dct:description']}`,
    ),
  )
}

interface AceReport {
  assertions: {
    'earl:testSubject': { url: string }
    assertions: { 'earl:test': { 'dct:title': string }; 'earl:result': { 'dct:description': string } }[]
  }[]
}

interface AceInPage {
  daisy: { ace: { run(done: (fault: unknown, result: unknown) => void): void } }
}

let browser: Browser | null = null

/** Opens the pages of a book for Ace, which runs its scripts in them. */
const RUNNER = {
  concurrency: 2,
  setTimeout() {},
  async launch() {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  },
  async close() {
    await browser?.close()
  },
  async run(url: string, scripts: string[], contents: string[]) {
    const page = await (browser as Browser).newPage()
    try {
      await page.goto(url)
      for (const script of [...contents, ...scripts.map((path) => readFileSync(path, 'utf8'))])
        await page.evaluate(script)
      return await page.evaluate(
        () =>
          new Promise((resolve, reject) => {
            const { daisy } = window as unknown as AceInPage
            daisy.ace.run((fault, result) => (fault ? reject(fault) : resolve(result)))
          }),
      )
    } finally {
      await page.close()
    }
  },
}
