import type { Reading } from '../../domain/reading.ts'
import { CONTRAST_DARK, CONTRAST_LIGHT, DARK, LIGHT, type Palette, SEPIA } from './palettes.ts'

/** What the system has, so that no letter is fetched. */
const TYPEFACES: Record<Reading['typeface'], string> = {
  serif: '"Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", "Noto Serif", Georgia, serif',
  sans: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  dyslexia: 'OpenDyslexic, "Atkinson Hyperlegible", "Comic Sans MS", "Comic Neue", Verdana, sans-serif',
}

/** A letter of prose is narrower than the digit that CSS measures lines by. */
const LETTER = 0.86

/**
 * The stylesheet that the player's own choices make: colours, letters, lines. Made by the server, so that it holds in
 * every browser and without script (`docs/design.md`).
 */
export function readerStyle(reading: Reading): string {
  return [
    root([`color-scheme: ${SCHEMES[reading.theme]}`, ...coloursOf(reading.theme), ...lettersOf(reading)]),
    ...(CALM.has(reading.theme)
      ? [`@media (prefers-contrast: more) {\n${root(both(CONTRAST_LIGHT, CONTRAST_DARK))}}\n`]
      : []),
    ...(reading.whole_replies ? ['.streaming { display: none; }\n'] : []),
  ].join('')
}

const SCHEMES: Record<Reading['theme'], string> = {
  system: 'light dark',
  light: 'light',
  sepia: 'light',
  dark: 'dark',
  contrast: 'light dark',
}

/** Themes that give way to a system that asks for more contrast. */
const CALM = new Set<Reading['theme']>(['system', 'light', 'dark'])

function coloursOf(theme: Reading['theme']): string[] {
  if (theme === 'sepia') return both(SEPIA, SEPIA)
  return theme === 'contrast' ? both(CONTRAST_LIGHT, CONTRAST_DARK) : both(LIGHT, DARK)
}

function both(light: Palette, dark: Palette): string[] {
  const names = Object.keys(light) as (keyof Palette)[]
  return names.map((name) => `--${name}: light-dark(${light[name]}, ${dark[name]})`)
}

function lettersOf({ typeface, size, measure, leading, justify, announce, shortcuts }: Reading): string[] {
  const spaced = typeface === 'dyslexia'
  return [
    `--prose: ${TYPEFACES[typeface]}`,
    `--prose-size: ${size / 100}`,
    `--prose-leading: ${leading / 100}`,
    `--measure: ${Math.round(measure * LETTER)}ch`,
    `--prose-align: ${justify ? 'justify' : 'start'}`,
    `--prose-hyphens: ${justify ? 'auto' : 'manual'}`,
    `--prose-spacing: ${spaced ? '0.03em' : 'normal'}`,
    `--word-spacing: ${spaced ? '0.12em' : 'normal'}`,
    // Read by the page's script.
    `--announce: ${announce ? 'on' : 'off'}`,
    `--shortcuts: ${shortcuts ? 'on' : 'off'}`,
  ]
}

function root(lines: string[]): string {
  return `:root {\n${lines.map((line) => `  ${line};\n`).join('')}}\n`
}
