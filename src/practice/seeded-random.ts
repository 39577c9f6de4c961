/** Returns the next integer from 0 up to but not including `below`. */
export type Draw = (below: number) => number

/** Deterministic random numbers. */
export function drawFrom(seed: number): Draw {
  let state = seed | 0
  return (below) => {
    state = (state + 0x9e3779b9) | 0
    return mixed(state) % below
  }
}

/** Hashes texts and a seed into a number. */
export function seedOf(texts: Iterable<string>, seed: number): number {
  let hash = mixed(seed | 0) ^ mixed((seed / 0x1_0000_0000) | 0)
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    hash = Math.imul(hash ^ 0xffff, 0x01000193)
  }
  return hash
}

export function shuffled<Item>(items: readonly Item[], draw: Draw): Item[] {
  const remaining = [...items]
  const order: Item[] = []
  while (remaining.length > 0) {
    const [item] = remaining.splice(draw(remaining.length), 1)
    if (item !== undefined) order.push(item)
  }
  return order
}

function mixed(number: number): number {
  let mix = Math.imul(number ^ (number >>> 16), 0x21f0aaad)
  mix = Math.imul(mix ^ (mix >>> 15), 0x735a2d97)
  return (mix ^ (mix >>> 15)) >>> 0
}
