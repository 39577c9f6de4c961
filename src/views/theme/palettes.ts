/**
 * The colors, by purpose. Each text color reaches 4.5:1 on paper and on raised, ink 7:1, and
 * edge, the border of what can be changed, 3:1 (WCAG 2.2, 1.4.3, 1.4.6 and 1.4.11; `test/views/palettes.test.ts`).
 */
export interface Palette {
  /** The page, and the cards, fields and panels on it. */
  paper: string
  raised: string
  ink: string
  soft: string
  /** Dividing lines, and borders of controls. */
  line: string
  edge: string
  accent: string
  /** Text on a button in the accent color. */
  'accent-ink': string
  /** The player's lines, and the bars of stats. */
  player: string
  good: string
  bad: string
}

export const LIGHT: Palette = {
  paper: '#faf6ef',
  raised: '#fffdf9',
  ink: '#2b2622',
  soft: '#675d54',
  line: '#e0d6c8',
  edge: '#948778',
  accent: '#8a4b16',
  'accent-ink': '#fffaf3',
  player: '#235a63',
  good: '#27602f',
  bad: '#98281d',
}

export const DARK: Palette = {
  paper: '#191614',
  raised: '#221e1b',
  ink: '#e6ddd1',
  soft: '#a89c8e',
  line: '#3b342e',
  edge: '#7f7467',
  accent: '#e0a063',
  'accent-ink': '#231808',
  player: '#8fc6cf',
  good: '#93cf97',
  bad: '#f0958a',
}

export const SEPIA: Palette = {
  paper: '#f1e5cd',
  raised: '#f8efdc',
  ink: '#35291a',
  soft: '#66573f',
  line: '#d8c7a5',
  edge: '#8d7b5b',
  accent: '#7d4110',
  'accent-ink': '#fdf6e8',
  player: '#1f5560',
  good: '#2a5a24',
  bad: '#8f241a',
}

export const CONTRAST_LIGHT: Palette = {
  paper: '#ffffff',
  raised: '#ffffff',
  ink: '#000000',
  soft: '#2e2e2e',
  line: '#6b6b6b',
  edge: '#000000',
  accent: '#5c2a00',
  'accent-ink': '#ffffff',
  player: '#003c46',
  good: '#00460c',
  bad: '#7a0a00',
}

export const CONTRAST_DARK: Palette = {
  paper: '#000000',
  raised: '#0b0b0b',
  ink: '#ffffff',
  soft: '#dcdcdc',
  line: '#8f8f8f',
  edge: '#ffffff',
  accent: '#ffc78c',
  'accent-ink': '#000000',
  player: '#a9ecf7',
  good: '#a8f0ad',
  bad: '#ffb4aa',
}

export const PALETTES = { LIGHT, DARK, SEPIA, CONTRAST_LIGHT, CONTRAST_DARK }
