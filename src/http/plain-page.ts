import { sha256 } from '../lib/hash.ts'

const STYLE = `
  body { max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; font: 1.125rem/1.6 Georgia, serif; }
  h1 { font-size: 1.5rem; font-weight: normal; }
  strong { display: block; margin: 1rem 0; font: 600 2.5rem/1.2 ui-monospace, monospace; letter-spacing: 0.3em; }
`

const HASH = sha256(STYLE, 'base64')

interface PlainPage {
  title: string
  /** Trusted HTML, never anything typed. */
  paragraphs: readonly string[]
  /** Seconds before it reloads. */
  retry: number
}

export function plainPage({ title, paragraphs, retry }: PlainPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${retry}">
<title>${title} · Inglenook</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}
</main>
</body>
</html>
`
}

export const PLAIN_PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
}
