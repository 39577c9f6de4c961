/** A route as the framework lists it. */
export interface Route {
  method: string
  path: string
}

/** Whether a path, or the same without one trailing slash, is a route's: segment by segment, with digits for a parameter. */
export function matchesRoute(route: Route, path: string): boolean {
  const [pattern, wanted] = [segments(route.path), segments(path)]
  return (
    pattern.length === wanted.length &&
    pattern.every((part, i) => part === wanted[i] || (part.startsWith(':') && /^\d+$/.test(wanted[i] ?? '')))
  )
}

function segments(path: string): string[] {
  return path.replace(/\/$/, '').split('/')
}
