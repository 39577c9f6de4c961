import { DICE, type Dice } from '../../domain/checks/check.ts'

/** Numbers that one draw of 32 bits can give. */
const DRAWS = 2 ** 32

/** Draws from the system's randomness. */
export function throwDice(dice: Dice): number[] {
  const { count, sides } = DICE[dice]
  return Array.from({ length: count }, () => 1 + drawBelow(sides))
}

// A draw at the end of the range is drawn again, or the low faces would come a little more often.
function drawBelow(sides: number): number {
  const fair = DRAWS - (DRAWS % sides)
  for (const draw = new Uint32Array(1); ; ) {
    const [drawn = 0] = crypto.getRandomValues(draw)
    if (drawn < fair) return drawn % sides
  }
}
