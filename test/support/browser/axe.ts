import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'

const AXE = readFileSync(join(import.meta.dir, '../../../node_modules/axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Rules whose answer changes with the room that there is. */
export const OF_ROOM = ['target-size', 'scrollable-region-focusable']

/** What axe finds wrong on a page as it stands: the rule and the element, a line each. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // A page's own policy lets no stranger's script in; this one comes through the debugger.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const run = { runOnly: rules ?? { type: 'tag', values: TAGS }, resultTypes: ['violations'] }
  return page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: Axe }
    const found = (await axe.run(document, options)).violations
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
    )
  }, run)
}

interface Axe {
  run(
    root: Document,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { target: string[]; any: { message: string }[] }[] }[] }>
}

/** What is wider than the window and would have to be moved to be read; empty where all of a page fits. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth ? [`${scrollWidth} px of page in ${clientWidth} px of window`] : []
  })
}

/** The window: so many CSS pixels wide, each of so many of the screen's. */
export async function resize(window: CDPSession, width: number, zoom = 1): Promise<void> {
  await window.send('Emulation.setDeviceMetricsOverride', {
    width,
    height: 800,
    deviceScaleFactor: zoom,
    mobile: false,
  })
}
