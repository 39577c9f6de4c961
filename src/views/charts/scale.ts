/** The space of every chart, in units of its view box. */
export const WIDTH = 600
/** Room for the numbers on the left, and around the drawing. */
export const LEFT = 64
export const EDGE = 12

/** To a tenth of a unit, which is finer than a pixel. */
export function round(value: number): number {
  return Math.round(value * 10) / 10
}
