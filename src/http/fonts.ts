import { dirname, join } from 'node:path'
import { packageFile } from '../lib/project.ts'

/** Typefaces from https://fontsource.org, by weight and style. */
export const FONT_SHEETS = [
  '@fontsource/literata/400.css',
  '@fontsource/literata/400-italic.css',
  '@fontsource/literata/600.css',
  '@fontsource/inter/400.css',
  '@fontsource/inter/400-italic.css',
  '@fontsource/inter/600.css',
  '@fontsource/atkinson-hyperlegible-next/400.css',
  '@fontsource/atkinson-hyperlegible-next/400-italic.css',
  '@fontsource/atkinson-hyperlegible-next/600.css',
]

/** Latin font files that every page needs at once: the serif for prose and headings, the sans for controls. */
export const FIRST_FONTS = [
  'literata-latin-400-normal.woff2',
  'literata-latin-400-italic.woff2',
  'literata-latin-600-normal.woff2',
  'inter-latin-400-normal.woff2',
  'inter-latin-600-normal.woff2',
]

interface Fonts {
  sheet: string
  paths: ReadonlyMap<string, string>
}

let fonts: Promise<Fonts> | undefined

export function allFonts(): Promise<Fonts> {
  fonts ??= readFonts()
  return fonts
}

async function readFonts(): Promise<Fonts> {
  const paths = new Map<string, string>()
  const sheets = await Promise.all(
    FONT_SHEETS.map(async (name) => {
      const path = packageFile(name)
      const lines = (await Bun.file(path).text()).split('\n').map((line) => line.trim())
      for (const line of lines) {
        const [, file] = SOURCE_URL.exec(line) ?? []
        if (file !== undefined) paths.set(file, join(dirname(path), 'files', file))
      }
      return lines.map(rewriteLine).join('')
    }),
  )
  return { sheet: sheets.join(''), paths }
}

const SOURCE_URL = /^src: url\(\.\/files\/([\w-]+\.woff2)\)/

/** Rewrites a line of a style sheet. `font-display: optional` keeps text from moving when a font loads late. */
function rewriteLine(line: string): string {
  const [, file] = SOURCE_URL.exec(line) ?? []
  if (file !== undefined) return `src: url(fonts/${file}) format('woff2');`
  if (line.startsWith('font-display:')) return 'font-display: optional;'
  return line.startsWith('/*') ? '' : line
}
