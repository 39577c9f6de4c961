import type { ReaderPreferences } from '../../domain/reader-preferences.ts'
import { CONTRAST_DARK, CONTRAST_LIGHT, DARK, LIGHT, type Palette, SEPIA } from './palettes.ts'

/** The first of each comes with the program (`http/fonts.ts`); the others are for letters that it does not have. */
const TYPEFACES: Record<ReaderPreferences['typeface'], string> = {
  serif:
    'Literata, "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", "Noto Serif", Georgia, serif',
  sans: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  dyslexia: 'OpenDyslexic, "Atkinson Hyperlegible Next", "Comic Sans MS", "Comic Neue", Verdana, sans-serif',
}

/** An average character is narrower than the digit that the CSS unit ch measures. */
const CHARACTER = 0.86

/** The stylesheet of the reader preferences, made by the server so that it works without script (`docs/design.md`). */
export function readerStyle(reading: ReaderPreferences): string {
  return [
    root([`color-scheme: ${SCHEMES[reading.theme]}`, ...colorsOf(reading.theme), ...typographyOf(reading)]),
    ...(CALM.has(reading.theme)
      ? [`@media (prefers-contrast: more) {\n${root(both(CONTRAST_LIGHT, CONTRAST_DARK))}}\n`]
      : []),
    ...(reading.whole_replies ? ['.streaming { display: none; }\n'] : []),
  ].join('')
}

const SCHEMES: Record<ReaderPreferences['theme'], string> = {
  system: 'light dark',
  light: 'light',
  sepia: 'light',
  dark: 'dark',
  contrast: 'light dark',
}

/** Themes that switch to high contrast if the system asks for more contrast. */
const CALM = new Set<ReaderPreferences['theme']>(['system', 'light', 'dark'])

function colorsOf(theme: ReaderPreferences['theme']): string[] {
  if (theme === 'sepia') return both(SEPIA, SEPIA)
  return theme === 'contrast' ? both(CONTRAST_LIGHT, CONTRAST_DARK) : both(LIGHT, DARK)
}

function both(light: Palette, dark: Palette): string[] {
  const names = Object.keys(light) as (keyof Palette)[]
  return names.map((name) => `--${name}: light-dark(${light[name]}, ${dark[name]})`)
}

function typographyOf({
  typeface,
  size,
  measure,
  leading,
  justify,
  paragraphs,
  announce,
  shortcuts,
}: ReaderPreferences): string[] {
  const spaced = typeface === 'dyslexia'
  return [
    `--prose: ${TYPEFACES[typeface]}`,
    `--prose-size: ${size / 100}`,
    `--prose-leading: ${leading / 100}`,
    `--measure: ${Math.round(measure * CHARACTER)}ch`,
    `--prose-gap: ${paragraphs === 'indented' ? '0' : '0.9em'}`,
    `--prose-indent: ${paragraphs === 'indented' ? '1.4em' : '0'}`,
    `--prose-align: ${justify ? 'justify' : 'start'}`,
    `--prose-hyphens: ${justify ? 'auto' : 'manual'}`,
    `--prose-spacing: ${spaced ? '0.03em' : 'normal'}`,
    `--word-spacing: ${spaced ? '0.12em' : 'normal'}`,
    // Read by the scripts of the page.
    `--announce: ${announce ? 'on' : 'off'}`,
    `--shortcuts: ${shortcuts ? 'on' : 'off'}`,
  ]
}

function root(lines: string[]): string {
  return `:root {\n${lines.map((line) => `  ${line};\n`).join('')}}\n`
}
