/** The maximum number of attempts. */
const MAX_TRIES = 400

/** Removes items that are not needed for `fails` to stay true: first half of the list at a time, then less. */
export async function minimize<T>(
  items: readonly T[],
  fails: (items: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let remaining = items
  let tries = 0
  for (let size = Math.ceil(remaining.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < remaining.length && tries < MAX_TRIES; tries++) {
      const fewer = remaining.toSpliced(at, size)
      if (await fails(fewer)) remaining = fewer
      else at += size
    }
  return remaining
}
