export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

export function objectIn(holder: unknown, key: string): Record<string, unknown> {
  const value = isObject(holder) ? ownValue(holder, key) : null
  return isObject(value) ? value : {}
}

/** Ignores inherited properties. */
export function ownValue<T>(holder: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(holder, key) ? holder[key] : undefined
}

/** Strings of a list; [] for any other value. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** Sets an own key, even if its name is an inherited property's. */
export function setOwn(holder: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

export function hasOneOf(file: Record<string, unknown>, keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(file, key))
}
