import { type Static, Type } from '@sinclair/typebox'
import type { Deps } from '../deps.ts'
import { recallQuery } from '../memory/recall-query.ts'
import { loadRecall } from './load-recall.ts'
import { nextPrompt, PromptDetails } from './prompt-view.ts'
import { toldStory, withLine } from './told-story.ts'

/** What a turn with a line would recall, and why. */
export const RecallTrial = Type.Pick(PromptDetails, ['memories', 'passages'])
export type RecallTrial = Static<typeof RecallTrial>

/** Changes nothing. Throws not_found, prompt_too_large. */
export async function tryRecall(deps: Deps, adventureId: number, line: string): Promise<RecallTrial> {
  const { library, closing } = deps
  await loadRecall(library.reader, adventureId, closing)
  const story = withLine(toldStory(library.reader, adventureId, null), line)
  const query = await recallQuery(deps, adventureId, story, closing)
  const { memories, passages } = nextPrompt(deps, adventureId, { story, query })
  return { memories, passages }
}
