import { describe, expect, test } from 'bun:test'
import { DEFAULT_PREFERENCES } from '../../src/domain/reader-preferences.ts'
import { PALETTES, type Palette } from '../../src/views/theme/palettes.ts'
import { readerStyle } from '../../src/views/theme/reader-style.ts'

/** Relative luminance (WCAG 2.2, "relative luminance"). */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = (color.match(/[0-9a-f]{2}/g) ?? []).map((pair) => {
    const part = Number.parseInt(pair, 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** A color over another one, so much of it. */
function mixed(color: string, share: number, ground: string): string {
  const parts = (text: string) => (text.match(/[0-9a-f]{2}/g) ?? []).map((pair) => Number.parseInt(pair, 16))
  const [over, under] = [parts(color), parts(ground)]
  const hex = over.map((part, i) => Math.round(part * share + (under[i] ?? 0) * (1 - share)))
  return `#${hex.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

const TEXTS = ['ink', 'soft', 'accent', 'player', 'good', 'bad'] as const

test('black on white is 21 to 1', () => expect(contrast('#000000', '#ffffff')).toBeCloseTo(21))

for (const [name, palette] of Object.entries(PALETTES) as [string, Palette][])
  describe(`every word can be read: ${name}`, () => {
    for (const ground of ['paper', 'raised'] as const) {
      for (const text of TEXTS)
        test(`${text} on ${ground}`, () =>
          expect(contrast(palette[text], palette[ground])).toBeGreaterThanOrEqual(text === 'ink' ? 7 : 4.5))
      test(`borders of what can be changed on ${ground}`, () =>
        expect(contrast(palette.edge, palette[ground])).toBeGreaterThanOrEqual(3))
      for (const text of ['good', 'bad'] as const)
        test(`${text} on its own tint over ${ground}`, () =>
          expect(contrast(palette[text], mixed(palette[text], 0.12, palette[ground]))).toBeGreaterThanOrEqual(
            4.5,
          ))
    }
    test('words on a button', () =>
      expect(contrast(palette['accent-ink'], palette.accent)).toBeGreaterThanOrEqual(4.5))
    test('the mode that is chosen', () =>
      expect(contrast(palette.paper, palette.player)).toBeGreaterThanOrEqual(4.5))
  })

describe('what the reader chose', () => {
  test('is the whole of the sheet', () => {
    const style = readerStyle({
      ...DEFAULT_PREFERENCES,
      theme: 'sepia',
      size: 130,
      measure: 60,
      justify: true,
    })
    expect(style).toContain('color-scheme: light;')
    expect(style).toContain('--paper: light-dark(#f1e5cd, #f1e5cd);')
    expect(style).toContain('--prose-size: 1.3;')
    expect(style).toContain('--prose-align: justify;')
    expect(style).not.toContain('.streaming')
  })

  test('gives way to a system that asks for more contrast, unless colors were chosen for themselves', () => {
    const more = '@media (prefers-contrast: more)'
    expect(readerStyle(DEFAULT_PREFERENCES)).toContain(more)
    expect(readerStyle({ ...DEFAULT_PREFERENCES, theme: 'sepia' })).not.toContain(more)
  })

  test('keeps a reply out of sight until it is finished', () =>
    expect(readerStyle({ ...DEFAULT_PREFERENCES, whole_replies: true })).toContain(
      '.streaming { display: none; }',
    ))
})
