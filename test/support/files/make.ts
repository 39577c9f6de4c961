import { makeEarlierAdventure as earlierAdventure } from '../../../src/formats/earlier-release/make-adventure.ts'
import { makeEpub as epub } from '../../../src/formats/epub/make-epub.ts'
import { makeHtml as html } from '../../../src/formats/html/make-html.ts'
import { makeAdventure as adventure } from '../../../src/formats/inglenook/make-adventure.ts'
import { makeMarkdown as markdown } from '../../../src/formats/markdown/make-markdown.ts'
import { makeChat as chat } from '../../../src/formats/sillytavern-chat/make-chat.ts'

// The writers of stories, with their pieces put together.

const whole =
  <Given extends unknown[]>(make: (...given: Given) => Iterable<string>) =>
  (...given: Given): string =>
    [...make(...given)].join('')

export const makeAdventure = whole(adventure)
export const makeChat = whole(chat)
export const makeEarlierAdventure = whole(earlierAdventure)

type Written = Parameters<typeof markdown>

export function makeHtml(
  story: Written[0],
  options: Written[1],
  cover = '',
  chapters: Written[2] = [],
): string {
  return whole(html)(story, options, { cover, chapters })
}

export function makeMarkdown(story: Written[0], options: Written[1], chapters: Written[2] = []): string {
  return whole(markdown)(story, options, chapters)
}

export function makeEpub(...given: Parameters<typeof epub>): Uint8Array {
  return Buffer.concat([...epub(...given)])
}
