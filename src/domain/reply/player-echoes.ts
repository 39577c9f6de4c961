import { isSpeech, typedWords } from '../text/player-line.ts'
import { foldedLines } from './line-matcher.ts'

/** Fewer words than these, alone, may be somebody's answer: "Hello." */
const MIN_WORDS = 3

/** How a model may say a player's line back in other words: in the first person, and as it was typed. Folded. */
export function typedEchoes(lines: readonly string[]): string[] {
  return foldedLines(
    lines.flatMap((line) => {
      const done = typedWords('do', line)
      const bare = [done, typedWords('say', line)].filter((words) => words.split(/\s+/).length >= MIN_WORDS)
      return [`You ${done.replace(/^I /i, '')}`, `I ${done}`, ...bare]
    }),
  )
}

/** How a model may say a player's line back as it was sent, also with “you say” behind what is said. Folded. */
export function sentEchoes(lines: readonly string[]): string[] {
  const said = lines.filter(isSpeech).map((line) => typedWords('say', line))
  return foldedLines([...lines, ...said.flatMap((words) => [`${words} you say`, `${words} you ask`])])
}
