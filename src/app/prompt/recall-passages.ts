import type { Reader } from '../../db/database.ts'
import { searchPassages } from '../../db/search/passage-search.ts'
import type { Adventure } from '../../domain/adventure.ts'
import { filledPassage } from '../../domain/prompt/filled-texts.ts'
import { presentOf } from '../../domain/recall/changes.ts'
import { isQuestion, lineTerms } from '../../domain/recall/line-terms.ts'
import type { RecalledPassage } from '../../domain/recall/passage-notes.ts'
import { foundBy, leastScore, worthRecalling } from '../../domain/recall/passages.ts'
import { quoteOf } from '../../domain/recall/quote.ts'
import type { Answers } from '../../domain/text/placeholder.ts'
import type { RecallOptions } from './recall.ts'

interface PassageRecall extends RecallOptions {
  /** The opening is quoted with its placeholders filled. */
  answers: Answers
}

/** A function that finds the passages before an index that the player's newest line speaks of, best first. */
export function passagesFor(
  reader: Reader,
  { id, memory_bank_enabled }: Pick<Adventure, 'id' | 'memory_bank_enabled'>,
  { topK, texts: { line }, query, changes, answers }: PassageRecall,
): (endingBefore: number) => RecalledPassage[] {
  return (endingBefore) => {
    if (!memory_bank_enabled || endingBefore <= 0) return []
    const terms = lineTerms(line)
    if (terms.length === 0 && query === null) return []
    const asks = isQuestion(line)
    const found = searchPassages(reader, id, { terms, endingBefore, least: leastScore(asks), query })
    const worth = worthRecalling(found, asks).slice(0, topK)
    return worth.map((passage) => {
      const quote = quoteOf(filledPassage(passage, () => answers).text, terms)
      return {
        index: passage.index,
        text: passage.text,
        quote,
        changedBy: presentOf(quote, passage.index, changes())?.id ?? null,
        terms: passage.terms,
        via: foundBy(passage),
      }
    })
  }
}
