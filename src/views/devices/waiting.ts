import { PLAIN_PAGE_HEADERS, plainPage } from '../../http/plain-page.ts'
import { currentVisitor } from '../../http/visitor.ts'

/** Seconds after which the page of a waiting device asks again. */
const RETRY = 3

/** Needs no other file: a waiting device gets none. */
export function waitingResponse(): Response {
  const code = currentVisitor()?.wait() ?? null
  const html = plainPage({ title: 'Allow this device', paragraphs: paragraphsFor(code), retry: RETRY })
  return new Response(html, {
    status: 403,
    headers: { ...PLAIN_PAGE_HEADERS, 'Referrer-Policy': 'no-referrer' },
  })
}

function paragraphsFor(code: string | null): string[] {
  if (code === null)
    return ['Too many devices are waiting for access. This page tries again by itself in a moment.']
  return [
    'On the machine that runs Inglenook, open <em>Settings</em>, <em>Read on another device</em>, and press <em>Allow</em> beside this code:',
    `<strong>${code}</strong>`,
    'This page then continues by itself.',
  ]
}
