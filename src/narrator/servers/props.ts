import { field } from '../json.ts'
import { says } from './says.ts'
import type { Sign, WindowPage } from './server.ts'

const PROPS = { path: '/props', atRoot: true }
const WINDOW = 'default_generation_settings.n_ctx'

/** The window on the page that llama.cpp has, and that several others have after it. Old builds say it at the top. */
export const PROPS_WINDOW: WindowPage = {
  ...PROPS,
  read: (json) => field(field(json, 'default_generation_settings'), 'n_ctx') ?? field(json, 'n_ctx'),
}

/** That page as a sign. */
export const PROPS_SIGN: Sign = { ...PROPS, evidence: ({ json }) => says(json, WINDOW, /^\d+$/) }

/** What it says while the model loads. */
export const LOADING_SIGN: Sign = {
  ...PROPS,
  evidence: ({ json }) =>
    says(json, 'error.type', /^unavailable_error$/) && says(json, 'error.message', /^Loading model$/),
}
