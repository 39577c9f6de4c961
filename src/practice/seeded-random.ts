/** The next whole number from 0 up to and without `below`. */
export type Draw = (below: number) => number

/** A stream of numbers that follows from its seed alone. */
export function drawFrom(seed: number): Draw {
  let state = seed | 0
  return (below) => {
    state = (state + 0x9e3779b9) | 0
    return mixed(state) % below
  }
}

/** One number from some texts and a seed. Linear in their length. */
export function seedOf(texts: Iterable<string>, seed: number): number {
  let hash = mixed(seed | 0) ^ mixed((seed / 0x1_0000_0000) | 0)
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    hash = Math.imul(hash ^ 0xffff, 0x01000193)
  }
  return hash
}

/** The items in an order of chance. */
export function shuffled<Item>(items: readonly Item[], draw: Draw): Item[] {
  const left = [...items]
  const order: Item[] = []
  while (left.length > 0) {
    const [item] = left.splice(draw(left.length), 1)
    if (item !== undefined) order.push(item)
  }
  return order
}

function mixed(number: number): number {
  let mix = Math.imul(number ^ (number >>> 16), 0x21f0aaad)
  mix = Math.imul(mix ^ (mix >>> 15), 0x735a2d97)
  return (mix ^ (mix >>> 15)) >>> 0
}
