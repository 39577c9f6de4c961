/** How often it is tried. */
const TRIES = 400

/** A list without what it does not need to make `fails` true: first half of it at a time, then less and less. */
export async function fewest<T>(
  items: readonly T[],
  fails: (items: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = items
  let tries = 0
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < kept.length && tries < TRIES; tries++) {
      const fewer = kept.toSpliced(at, size)
      if (await fails(fewer)) kept = fewer
      else at += size
    }
  return kept
}
