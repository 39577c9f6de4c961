import { hash } from 'node:crypto'

/** A short mark that stands for a text: equal texts have equal marks, and no two others do. */
export function hashOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22)
}
