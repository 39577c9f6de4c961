import type { Reader } from '../database.ts'
import { IS_PLAYER_LINE } from '../tables/actions/passages.ts'

export interface StoryTotals {
  id: number
  actions: number
  variants: number
  /** 1 if the player's last line has no reply yet, else 0. */
  waiting: number
  memories: number
  cards: number
  /** Bytes of its passages, including variants and stored prompts. */
  size: number
}

/** The totals of every adventure, largest first. Reads every row, so it is slow. */
export function listTotals(reader: Reader): StoryTotals[] {
  return reader.all<StoryTotals>(
    `SELECT a.id, count(n.id) AS actions,
            coalesce(sum(CASE WHEN n.type = 'ai' THEN max(1, n.variant_count) ELSE 0 END), 0) AS variants,
            coalesce((SELECT ${IS_PLAYER_LINE} FROM actions
              WHERE adventure_id = a.id ORDER BY "index" DESC, id DESC LIMIT 1), 0) AS waiting,
            (SELECT count(*) FROM memories WHERE adventure_id = a.id) AS memories,
            (SELECT count(*) FROM story_cards WHERE adventure_id = a.id) AS cards,
            coalesce(sum(octet_length(n.text) + coalesce(octet_length(n.variants), 0)
              + coalesce(octet_length(n.context_snapshot), 0) + coalesce(octet_length(n.world_state_before), 0)), 0) AS size
       FROM adventures a LEFT JOIN actions n ON n.adventure_id = a.id GROUP BY a.id ORDER BY size DESC, a.id`,
  )
}
