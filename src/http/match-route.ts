export interface Route {
  method: string
  path: string
}

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
