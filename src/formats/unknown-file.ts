import { isSqlite } from '../lib/bytes.ts'
import { isObject } from '../lib/objects.ts'
import { commandLine } from '../lib/project.ts'
import { cutTo } from '../lib/text.ts'
import { viewOf } from './picture/byte-view.ts'

const bytesOf = (text: string) => [...text].map((letter) => letter.charCodeAt(0))

const UTF16 = 'This text is in UTF-16. Save it as UTF-8 and import it again.'

const SIGNATURES: readonly { signature: readonly number[]; sentence: string }[] = [
  { signature: bytesOf('%PDF'), sentence: 'This is a PDF. Save its text as a text file and import that.' },
  {
    signature: bytesOf('7z\xbc\xaf'),
    sentence: 'This is a 7z archive. Extract it and import the files inside.',
  },
  { signature: bytesOf('Rar!'), sentence: 'This is a RAR archive. Extract it and import the files inside.' },
  { signature: bytesOf('\xff\xfe'), sentence: UTF16 },
  { signature: bytesOf('\xfe\xff'), sentence: UTF16 },
]

const LIBRARY = `This is a whole library. Restore it alone, under Settings, “Storage and backups”, or with ${commandLine('restore')}.`

const RISU_MODULE =
  'This is a packed module of RisuAI (.risum), which is not read. Open its lorebook in RisuAI, export that as JSON, and import it here.'

// A letter and the version, then how many bytes of it follow.
function isRisuModule(bytes: Uint8Array): boolean {
  if (bytes.length < 8 || bytes[0] !== 111 || bytes[1] !== 0) return false
  const length = viewOf(bytes).getUint32(2, true)
  return length > 0 && 6 + length < bytes.length
}

/** The kind of a file by its first bytes, if it is a known kind that cannot be imported; null otherwise. */
export function knownOther(bytes: Uint8Array): string | null {
  if (isRisuModule(bytes)) return RISU_MODULE
  if (isSqlite(bytes)) return LIBRARY
  const other = SIGNATURES.find(({ signature }) => signature.every((byte, i) => bytes[i] === byte))
  return other?.sentence ?? null
}

/** The reason why a text cannot be an opening; null if it can. */
export function unreadableText(text: string): string | null {
  if (/^\s*[{[]/.test(text)) return 'This file begins like JSON, but it is broken or cut off.'
  if (/^\s*<(\?xml|svg|!doctype)[\s>]/i.test(text)) return 'This is XML.'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they tell text from other files
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text)) return 'This file is not text.'
  return null
}

/** The reason why a JSON value cannot be imported. */
export function unknownJson(file: unknown): string {
  if (isObject(file) && isObject(file.persona_descriptions))
    return 'These are personas of SillyTavern. Copy the description of yours into Plot essentials, under Plot, of a story.'
  if (isObject(file) && isObject(file.persona) && typeof file.greeting === 'string')
    return 'This is a character in the format of Agnai. Download it there in the format “Tavern”, and import that.'
  if (isObject(file) && typeof file.format === 'string')
    return `The format “${cutTo(file.format, 60)}” is not supported.`
  return 'This file is JSON, but no story that Inglenook can read.'
}
