/** Whether a value is an object with keys, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The object under an own key; {} when there is none. */
export function objectIn(holder: unknown, key: string): Record<string, unknown> {
  const value = isObject(holder) ? ownValue(holder, key) : null
  return isObject(value) ? value : {}
}

/** The value under an own key; undefined for what every object inherits. */
export function ownValue<T>(holder: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(holder, key) ? holder[key] : undefined
}

/** The texts of a list; [] for any other value. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** Sets an own key, even one named like an inherited property. */
export function setOwn(holder: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Whether an object has one of some keys, with any value. */
export function hasOneOf(file: Record<string, unknown>, keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(file, key))
}
