import { READ_TIMEOUT, type Settings } from '../../domain/settings.ts'
import type { Reader, Writer } from '../database.ts'
import { OWNER } from './users.ts'

type Row = Omit<Settings, 'read_timeout_seconds' | 'api_mode' | 'stop_at_player'> & {
  id: number
  api_mode: string
  read_timeout_seconds: number | null
  stop_at_player: number
}

// A file that had several users holds settings of each; the player's are those of the owner.
const ONE = `ORDER BY user_id IS NOT (${OWNER}), id LIMIT 1`

/** The settings, by the columns' names. The key that an old file may hold is not among them. */
export function getSettings(reader: Reader): Settings {
  const row = reader.get<Row>(
    `SELECT id, endpoint_url, model, api_mode, temperature, max_output_tokens, reasoning_max_tokens,
            context_token_budget, read_timeout_seconds, narrator_prompt, summary_model, embedding_model,
            memory_bank_capacity, memory_top_k, top_p, min_p, repeat_penalty, dry_multiplier, xtc_probability,
            reasoning_effort, num_ctx, stop_at_player, second_call
       FROM settings ${ONE}`,
  )
  if (row === null) throw new Error('The library has no settings.')
  const { id: _, ...settings } = row
  return {
    ...settings,
    stop_at_player: row.stop_at_player === 1,
    // Anything that is not "completion" has always acted as a chat.
    api_mode: row.api_mode === 'completion' ? 'completion' : 'chat',
    read_timeout_seconds: row.read_timeout_seconds ?? READ_TIMEOUT.default,
  }
}

/** The address of the endpoint, in a file of any version; '' for none. */
export function findEndpoint(reader: Reader): string {
  const row = reader.get<{ url: unknown }>('SELECT endpoint_url AS url FROM settings ORDER BY id LIMIT 1')
  return typeof row?.url === 'string' ? row.url : ''
}

export function updateSettings(tx: Writer, changed: Partial<Settings>): void {
  const row = tx.get<{ id: number }>(`SELECT id FROM settings ${ONE}`)
  if (row) tx.update('settings', row.id, changed)
}

export function insertSettings(tx: Writer, owner: number, settings: Settings): void {
  tx.insert('settings', { ...settings, user_id: owner, stream: true })
}

export function hasSettings(reader: Reader): boolean {
  return reader.get('SELECT 1 FROM settings LIMIT 1') !== null
}
