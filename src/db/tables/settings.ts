import {
  currentSecondCall,
  NARRATOR_PROMPT,
  OPTIONAL_DEFAULTS,
  READ_TIMEOUT,
  type Settings,
  usableSettings,
  withEngine,
} from '../../domain/settings.ts'
import type { Reader, Writer } from '../database.ts'
import { OWNER } from './users.ts'

type Flag = 'stop_at_player' | 'read_ahead' | 'loop_guard'
type Row = Omit<Settings, 'read_timeout_seconds' | 'api_mode' | Flag> & {
  api_mode: string
  read_timeout_seconds: number | null
} & Record<Flag, number>

// A file with several users has settings for each. Those of the owner come first.
const OWNERS_ROW = `ORDER BY user_id IS NOT (${OWNER}), id LIMIT 1`

/** The settings that apply: the model server is the engine where a model file is set. */
export function getSettings(reader: Reader): Settings {
  return withEngine(getSavedSettings(reader))
}

/** Ignores the API key that an old file may contain. */
export function getSavedSettings(reader: Reader): Settings {
  const row = reader.get<Row>(
    `SELECT endpoint_url, model, model_file, api_mode, temperature, max_output_tokens, reasoning_max_tokens,
            context_token_budget, read_timeout_seconds, narrator_prompt, summary_model, embedding_model,
            embedding_endpoint_url, memory_bank_capacity, memory_top_k, top_p, min_p, repeat_penalty,
            dry_multiplier, xtc_probability, reasoning_effort, num_ctx, stop_at_player, second_call, read_ahead,
            loop_guard
       FROM settings ${OWNERS_ROW}`,
  )
  if (row === null) throw new Error('The library has no settings.')
  return usableSettings({
    ...row,
    stop_at_player: row.stop_at_player === 1,
    read_ahead: row.read_ahead === 1,
    loop_guard: row.loop_guard === 1,
    second_call: currentSecondCall(row.second_call),
    // The earlier release treats any other value as chat.
    api_mode: row.api_mode === 'completion' ? 'completion' : 'chat',
    read_timeout_seconds: row.read_timeout_seconds ?? READ_TIMEOUT.default,
  })
}

export function updateSettings(tx: Writer, changed: Partial<Settings>): void {
  const id = tx.value<number>(`SELECT id FROM settings ${OWNERS_ROW}`)
  if (id !== null) tx.update('settings', id, changed)
}

export function insertSettings(tx: Writer, owner: number): void {
  tx.insert('settings', { ...FRESH_SETTINGS, user_id: owner, stream: true })
}

export function hasSettings(reader: Reader): boolean {
  return reader.get('SELECT 1 FROM settings LIMIT 1') !== null
}

/** There is no endpoint, so the practice narrator is used. */
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
