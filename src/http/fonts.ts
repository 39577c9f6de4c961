import { dirname, join } from 'node:path'
import { PROJECT_FOLDER } from '../lib/project.ts'

/** The typefaces that come with the program, from the packages of https://fontsource.org, by weight and style. */
const SHEETS = [
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

/** The style sheets of the packages, as absolute paths. */
export const FONT_SHEETS: readonly string[] = SHEETS.map((name) => Bun.resolveSync(name, PROJECT_FOLDER))

/** The files that a story needs at once: the serif for Latin letters, upright, and italic for the player's lines. */
export const FIRST_FONTS = ['literata-latin-400-normal.woff2', 'literata-latin-400-italic.woff2']

/** All faces as one style sheet, and the paths of their files by name. */
interface Fonts {
  sheet: string
  paths: ReadonlyMap<string, string>
}

/** Reads the style sheets of the packages. A browser loads a file only when a page has letters of its range. */
export async function readFonts(): Promise<Fonts> {
  const paths = new Map<string, string>()
  const sheets = await Promise.all(
    FONT_SHEETS.map(async (path) => {
      const sheet = await Bun.file(path).text()
      for (const [, file = ''] of sheet.matchAll(FILE)) paths.set(file, join(dirname(path), 'files', file))
      return shortened(sheet)
    }),
  )
  return { sheet: sheets.join(''), paths }
}

const FILE = /url\(\.\/files\/([\w-]+\.woff2)\)/g

/** Without comments and the older format. What a face comes too late for keeps its letters: no text moves. */
function shortened(css: string): string {
  return css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/, url\([^)]*\.woff\) format\('woff'\)/g, '')
    .replaceAll('url(./files/', 'url(fonts/')
    .replaceAll('font-display: swap', 'font-display: optional')
    .replace(/\s+/g, ' ')
}
