import { NARRATOR_PROMPT, OPTIONAL_DEFAULTS, READ_TIMEOUT, type Settings } from '../../domain/settings.ts'

/** The settings of a new library. There is no endpoint, so the practice narrator is used. */
export const FRESH_SETTINGS: Settings = {
  endpoint_url: '',
  model: '',
  model_file: '',
  api_mode: 'chat',
  temperature: 0.8,
  max_output_tokens: 800,
  reasoning_max_tokens: 0,
  context_token_budget: 16_384,
  read_timeout_seconds: READ_TIMEOUT.default,
  narrator_prompt: NARRATOR_PROMPT,
  summary_model: '',
  embedding_model: '',
  embedding_endpoint_url: '',
  memory_bank_capacity: 80,
  memory_top_k: 5,
  ...OPTIONAL_DEFAULTS,
}
