/** The median of the milliseconds that each run takes, or says that it took. */
export async function medianTime(times: number, run: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let i = 0; i < times; i++) {
    const began = performance.now()
    const measured = await run()
    taken.push(typeof measured === 'number' ? measured : performance.now() - began)
  }
  return median(taken)
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

export function ms(time: number, aim?: number): string {
  return `${time.toFixed(1)} ms${aim === undefined ? '' : ` (${aim})`}`
}
