import type { ActionType, PlayerLineType } from '../action.ts'
import { isSurelyEnglish, mayBeEnglish, wordSet } from './english.ts'
import { isFirstPerson, isSecondPerson, SPEECH, secondPerson } from './second-person.ts'

const ENDS = /[.!?…。！？؟۔।]["”’»」』)*]*$/u
const OPENS = /^["“„«]/u
const OPENS_ANYWHERE = /^["“„«»‹›「『]/u

interface PlayerLine {
  type: PlayerLineType
  text: string
}

/**
 * The stored form of what a player typed: "I open my bag" as `do` becomes "> You open your bag.". Text that begins with a
 * quotation mark is speech, whatever its type. In a story of another language only English lines get English words.
 */
export function playerLine(type: PlayerLineType, typed: string, isEnglishStory = true): PlayerLine {
  const text = typed.trim()
  if (type === 'story') return { type, text }
  if (!isEnglishStory && !isSurelyEnglish(text)) return lineAsTyped(type, text)
  const line = type === 'do' ? bare(text) : text
  const said = doubleQuoted(line)
  if (OPENS.test(said)) return { type: 'say', text: `> ${spoken(said)}` }
  return { type, text: `> ${type === 'do' ? done(line) : sayLine(line)}` }
}

/** A line in the player's own words; quotation marks show that it is speech. */
function lineAsTyped(type: PlayerLineType, text: string): PlayerLine {
  if (OPENS_ANYWHERE.test(text)) return { type: 'say', text: `> ${text}` }
  return { type, text: type === 'say' ? `> "${text}"` : `> ${text.replace(LINE_MARKS, '')}` }
}

/** For a story in English. */
export function formatLine(type: PlayerLineType, typed: string): string {
  return playerLine(type, typed).text
}

/** True if a stored line is what a player typed, in a story in English or in another language. */
function isTypedLine(stored: string, type: PlayerLineType, typed: string): boolean {
  return [true, false].some((isEnglish) => playerLine(type, typed, isEnglish).text === stored)
}

export function isSpeech(stored: string): boolean {
  return OPENS_ANYWHERE.test(stored.replace(/^> (?:You say )?/, ''))
}

/** A player's line without the "> " before it, which is for the model. Other text stays as it is. */
export function withoutLineMark(stored: string): string {
  return stored.replace(/^> /, '')
}

/** The line of a player who tries a check without typing anything. */
export function triedLine(check: string, isEnglishStory: boolean): PlayerLine {
  return isEnglishStory ? { type: 'do', text: `> You try: ${check}.` } : lineAsTyped('do', check)
}

/** Typed words of a stored line, to restore them in the composer after an undo. */
export function typedWords(type: ActionType, stored: string): string {
  if (type !== 'do' && type !== 'say') return stored
  const [, inEnglish, asTyped] = /^> (?:You say "([\s\S]*)"|"([^"]*)")$/.exec(stored) ?? []
  const said = inEnglish ?? asTyped
  const line = withoutLineMark(stored)
  const typed = type === 'say' ? (said ?? line.replace(/^You say (?=")/, '')) : line.replace(/^You /, '')
  const mode: PlayerLineType = type === 'say' ? 'say' : 'do'
  const isSame = (words: string) => isTypedLine(stored, mode, words)
  return (
    [typed.replace(/(?<![.!?…])\.$/, ''), typed, line].find(isSame) ??
    (type === 'do' ? typed : (said ?? stored))
  )
}

// ---- Do ----

const LINE_MARKS = /^(?:> ?)+(?=\S)/

/** The line without the marks of other games around an action: "> look", "/me looks", "*looks*". */
function bare(text: string): string {
  const line = text.replace(LINE_MARKS, '')
  const [, action] = /^\*([^*]+)\*$|^\/me (.+)$/su.exec(line)?.filter((part) => part !== undefined) ?? []
  return action === undefined ? line : action.trim().replace(/^\p{Ll}+/u, baseForm)
}

/** "opens" as "open". */
function baseForm(verb: string): string {
  if (verb.length < 4) return verb === 'is' ? 'are' : verb === 'has' ? 'have' : verb
  if (verb === 'does') return 'do'
  return verb
    .replace(/(?<=[^aeiou])ies$/, 'y')
    .replace(/(?<=ch|sh|ss|x|zz|o)es$/, '')
    .replace(/(?<=[^siu])s$/, '')
}

function done(text: string): string {
  if (!mayBeEnglish(text)) return text
  const afterYou = /^you\s+(?=\S)/i.exec(text)
  if (afterYou) return `You ${withFullStop(text.slice(afterYou[0].length))}`
  // In a line with "I" and "you", only the player knows who "you" is; and "bring me the lamp" is said to somebody.
  if (isFirstPerson(text) && (isSecondPerson(text) || /^\p{L}+ (?:me|us)(?!\p{L})/iu.test(text)))
    return capitalized(withFullStop(text))
  const line = withFullStop(secondPerson(text))
  return isSentence(line) ? capitalized(line) : `You ${withSmallVerb(line)}`
}

/** Words that begin a sentence but not an action. */
const SUBJECTS =
  wordSet(`the a an this that these those his her their its he she it they there everyone everybody nobody
  someone somebody nothing something`)
/** Words that can stand before the "you" of a sentence. */
const OPENERS =
  wordSet(`after again against along also although always and around as at because before behind below beside
  between beyond but by despite during eventually finally first for from here how if in inside instead into just like
  maybe meanwhile near never next no now oh ok okay on once only onto over perhaps since so sometimes soon still
  suddenly then though through till to today tonight toward towards under unless until upon well what when whenever
  where wherever while who why with within without yes yet`)
const VERBS_IN_ING = wordSet('bring sing ring fling sting swing cling sling spring string wring wing ping')

const BEGINS_WITH_YOU = /^[(*_]*you(?:r|rs|rself)?(?![\p{L}\p{N}])/iu
const HAS_YOU = /(?<![\p{L}\p{N}])you(?:r|rs|rself)?(?![\p{L}\p{N}])/iu
/** "are you lost?", "tired, you sit down", "exhausted you sit down", "John and you go". */
const YOU_SOON =
  /^(?:(?:is|am|are|was|were|do|did|can|could|may|might|must|shall|should|will|would|have|had) |[^.!?"“]*, |\p{L}+ed |\p{Lu}\p{Ll}+ and )your?(?![\p{L}\p{N}])/iu

/** True for a line in the second person with a subject of its own, so that no "You" belongs before it. */
function isSentence(line: string): boolean {
  const first = (/^[\p{L}’']+/u.exec(line)?.[0] ?? '').toLowerCase()
  if (SUBJECTS.has(first) || BEGINS_WITH_YOU.test(line)) return true
  if (!HAS_YOU.test(line)) return false
  const isOpener = OPENERS.has(first) || /ly$/.test(first) || (/ing$/.test(first) && !VERBS_IN_ING.has(first))
  return isOpener || YOU_SOON.test(line)
}

// Phones capitalize the first letter of every text. A name is followed by a verb.
function withSmallVerb(line: string): string {
  return /^\p{Lu}\p{Ll}+(?! \p{L}+s(?!\p{L}))(?!\p{L})/u.test(line)
    ? line.replace(/^./u, (letter) => letter.toLowerCase())
    : line
}

function capitalized(line: string): string {
  return line.replace(/^[(*_]*\p{Ll}/u, (letter) => letter.toUpperCase())
}

// ---- Say ----

/** ‘Hello,’ as "Hello,". An apostrophe at the beginning of a word is not a quotation mark. */
function doubleQuoted(text: string): string {
  const [whole = '', said = ''] = SINGLE_QUOTED.exec(text) ?? []
  return /[.,!?…]$/u.test(said) ? `"${said}"${text.slice(whole.length)}` : text
}

const SINGLE_QUOTED = /^['‘]([^'’"]*(?:(?<=\p{L})['’](?=\p{L})[^'’"]*)*)['’](?!\p{L})/u

function sayLine(text: string): string {
  // Speech with another verb than "say", as an undo returns it.
  if (/^You [^"]*, "[^"]*"(?: \p{Lu}.*)?$/su.test(text)) return text
  return `You say "${withFullStop(text).replace(/\."$/, '".').replace(/"$/, '".')}"`
}

/** Text around speech, and after it: "I call", "you whisper to him. I go." */
const TAG = /^[\s,]*(?:I|you)((?: [\p{L}'’-]+){1,12})[\s,]*(?:[.!?]\s*(.*))?$/isu

/** Puts the speaker of a quotation first. */
function spoken(text: string): string {
  const parts = text.split(SPEECH)
  const speech = parts
    .filter((_, i) => i % 2 === 1)
    .map((quote) =>
      quote
        .slice(1)
        .replace(/["“”»]$/u, '')
        .trim(),
    )
  const around = parts.filter((part, i) => i % 2 === 0 && part.trim() !== '')
  const whole = speech.join(' ').replace(/,$/, '')
  const said = withFullStop(whole)
  if (around.length === 0 && speech.length === 1 && whole !== '') return `You say "${said}"`
  const tag = around.length === 1 && mayBeEnglish(around[0] ?? '') ? TAG.exec(around[0] ?? '') : null
  if (tag === null) return `You say ${withFullStop(text)}`
  const how = secondPerson((tag[1] ?? '').trim())
  const line = how === 'say' ? `You say "${said}"` : `You ${how}, "${said}"`
  return tag[2] ? `${line} ${capitalized(withFullStop(secondPerson(tag[2])))}` : line
}

function withFullStop(text: string): string {
  return ENDS.test(text) ? text : `${text}.`
}

/** Beginnings of a reply that speaks for the player: in the form of a line, or with speech after its mark. */
export const PLAYER_LINES = ['\n> You', '\n> "']
