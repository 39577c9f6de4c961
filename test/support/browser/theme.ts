import type { Page } from 'playwright-core'
import type { ReaderPreferences } from '../../../src/domain/reader-preferences.ts'
import type { TestServer } from '../service/server.ts'

/** Puts on other colors as the form under Reading does: by another style sheet in its place. */
export async function setTheme(
  page: Page,
  server: TestServer,
  theme: ReaderPreferences['theme'],
): Promise<void> {
  await server.send('PUT', '/api/preferences', { theme })
  await page.evaluate(async (version) => {
    const old = document.querySelector('#reader-sheet') as HTMLLinkElement
    const next = old.cloneNode() as HTMLLinkElement
    next.href = `${old.href.split('?')[0]}?v=${version}`
    await new Promise((loaded) => {
      next.onload = loaded
      old.replaceWith(next)
    })
  }, theme)
}
