import { field } from '../json-fields.ts'
import type { Fingerprint, ServerPath, WindowPage } from './server.ts'

export function fieldPage(page: ServerPath, path: string, pattern: RegExp): Fingerprint {
  return { ...page, evidence: ({ json }) => fieldEvidence(json, path, pattern) }
}

/** A matching text or number as evidence, such as `software.name "TabbyAPI"`; null for any other field. */
export function fieldEvidence(json: unknown, path: string, pattern: RegExp): string | null {
  const value = path.split('.').reduce<unknown>((object, name) => field(object, name), json)
  if (typeof value !== 'string' && typeof value !== 'number') return null
  return pattern.test(String(value)) ? `${path} ${JSON.stringify(value)}` : null
}

const PROPS = { path: '/props', atRoot: true }

/** The page of llama.cpp, which several servers copy. Old builds have the value at the top level. */
export const PROPS_WINDOW: WindowPage = {
  ...PROPS,
  read: (json) => field(field(json, 'default_generation_settings'), 'n_ctx') ?? field(json, 'n_ctx'),
}

export const PROPS_FINGERPRINT = fieldPage(PROPS, 'default_generation_settings.n_ctx', /^\d+$/)

export const LOADING_FINGERPRINT: Fingerprint = {
  ...PROPS,
  evidence: ({ json }) =>
    fieldEvidence(json, 'error.type', /^unavailable_error$/) &&
    fieldEvidence(json, 'error.message', /^Loading model$/),
}
