import type { PortableAction, PortableActions, PortableAdventure } from '../../domain/portable/portable.ts'
import { isBlank } from '../../lib/text.ts'

/** An adventure as the earlier release reads it: without its scenario, its schema and the worlds of its variants. */
export function* makeEarlierAdventure(adventure: PortableAdventure<PortableActions>): Generator<string> {
  const remembered = adventure.memories.reduce((last, { source_end }) => Math.max(last, source_end ?? -1), -1)
  const covered = adventure.summary?.covers ?? -1
  const fields = JSON.stringify({
    format: 'ai-dnd-adventure-v1',
    title: adventure.title,
    memory: adventure.memory,
    authorsNote: adventure.authors_note,
    aiInstructions: adventure.ai_instructions,
    storySummary: adventure.story_summary,
    scriptState: {},
    worldState: adventure.world_state,
    autoSummarize: adventure.auto_summarize,
    memoryBankEnabled: adventure.memory_bank_enabled,
    memories: adventure.memories.map((memory) => ({
      text: memory.text,
      pinned: memory.pinned,
      forgotten: memory.forgotten,
      sourceStart: memory.source_start,
      sourceEnd: memory.source_end,
      useCount: memory.use_count,
    })),
    storyCards: adventure.story_cards.map(({ source_ref: _, timing: _timing, ...card }) => card),
    scripts: [],
  })
  yield `${fields.slice(0, -1)},"actions":[`
  // There a position counts the passages with words in them.
  const cursors = { memoryCursor: 0, summaryCursor: 0 }
  for (const [index, action] of adventure.actions.entries()) {
    yield (index === 0 ? '' : ',') + JSON.stringify(earlierAction(action, index))
    if (isBlank(action.text)) continue
    if (index <= remembered) cursors.memoryCursor++
    if (index <= covered) cursors.summaryCursor++
  }
  yield `],${JSON.stringify(cursors).slice(1)}`
}

function earlierAction(action: PortableAction, index: number) {
  const { type, text, reasoning, variants, variant_index, created_at } = action
  return {
    index,
    type,
    text,
    reasoning,
    // One variant alone is not listed there: that means "never retried".
    variants:
      variants.length < 2
        ? null
        : variants.map((one) => ({
            text: one.text,
            reasoning: one.reasoning,
            createdAt: plainTime(one.created_at),
          })),
    variantIndex: variant_index,
    createdAt: plainTime(created_at),
  }
}

/** A moment in UTC without saying so, as it stands in such files. */
function plainTime(iso: string | null): string | null {
  return iso?.replace(/Z$/, '') ?? null
}
