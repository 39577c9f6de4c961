import { field } from '../../json-fields.ts'
import type { Fingerprint, WindowPage } from '../server.ts'
import { fieldEvidence, fieldPage } from './evidence.ts'

const PROPS = { path: '/props', atRoot: true }

/** The page of llama.cpp, which several others copy. Old builds have the value at the top level. */
export const PROPS_WINDOW: WindowPage = {
  ...PROPS,
  read: (json) => field(field(json, 'default_generation_settings'), 'n_ctx') ?? field(json, 'n_ctx'),
}

export const PROPS_FINGERPRINT = fieldPage(PROPS, 'default_generation_settings.n_ctx', /^\d+$/)

/** The same page while the model is loading. */
export const LOADING_FINGERPRINT: Fingerprint = {
  ...PROPS,
  evidence: ({ json }) =>
    fieldEvidence(json, 'error.type', /^unavailable_error$/) &&
    fieldEvidence(json, 'error.message', /^Loading model$/),
}
