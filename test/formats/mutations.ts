/** Values that nobody expects where they come. */
const ODD: (() => unknown)[] = [
  () => null,
  () => '',
  () => ' ',
  () => 0,
  () => -1,
  () => 1e308,
  () => 2 ** 53,
  () => true,
  () => [],
  () => ({}),
  () => [null, [], {}, 'x', 1],
  () => ({ a: { b: [] }, text: 5 }),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":"x"}'),
  () => 'x'.repeat(700),
  () => '\ud800 lone',
  () => '{{char}}{{user}}<BOT>${x}',
  () => ['a', 7, null],
]

interface Spot {
  holder: Record<string, unknown> | unknown[]
  key: string
}

/** A copy of a JSON value in which each roll of the dice has replaced, removed, moved or added something. */
export function mutated(value: unknown, dice: readonly number[]): unknown {
  const root = { file: structuredClone(value) }
  for (const roll of dice) {
    const spots = spotsIn(root)
    const spot = spots[roll % spots.length]
    const other = spots[Math.floor(roll / 7) % spots.length]
    if (spot && other) meddle(spot, other, Math.floor(roll / 3))
  }
  return root.file
}

function meddle({ holder, key }: Spot, other: Spot, roll: number): void {
  const into = holder as Record<string, unknown>
  if (roll % 11 === 0 && key !== 'file') delete into[key]
  else if (roll % 7 === 0) into[key] = structuredClone((other.holder as Record<string, unknown>)[other.key])
  else if (roll % 5 === 0 && !Array.isArray(holder) && key !== 'file') into[`${key}_more`] = roll
  else into[key] = ODD[roll % ODD.length]?.()
}

function spotsIn(holder: Record<string, unknown> | unknown[]): Spot[] {
  return Object.entries(holder).flatMap(([key, value]) => [
    { holder, key },
    ...(value !== null && typeof value === 'object' ? spotsIn(value as Record<string, unknown>) : []),
  ])
}
