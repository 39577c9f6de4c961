import { LIMITS } from '../../limits.ts'
import { cutTo, isBlank } from '../../../lib/text.ts'
import { isObject } from '../../../lib/objects.ts'
import type { ImportPlan } from '../../portable/portable.ts'
import { isPacked, LARGEST_UNPACKED, unpacked } from '../packed.ts'
import { aiDungeonCards } from './ai-dungeon.ts'
import { adventureBundle } from './bundle-adventure.ts'
import { scenarioBundle } from './bundle-scenario.ts'
import { adventureTree } from './bundle-tree.ts'
import { characterCard, readCardPicture } from './character-card.ts'
import { isChat, readChat } from './chat.ts'
import { jsonFrom, textFrom } from './json.ts'
import { koboldSave } from './kobold.ts'
import { ownAdventure } from './own-adventure.ts'
import { ownScenario } from './own-scenario.ts'
import type { Format } from './plan.ts'
import { isPng } from './png.ts'
import type { Holder } from '../../../formats/shared/receipt.ts'
import { refused } from '../../../formats/shared/import-refused.ts'
import { settled } from '../../../formats/reconcile-import.ts'
import { worldInfo } from './world-info.ts'

/** Bytes of a file that is read at all. */
export const LARGEST_FILE = 20 * 1024 * 1024

/** In the order in which they are tried: what names itself comes before what is known by its keys. */
const FORMATS: readonly Format[] = [
  ownScenario,
  ownAdventure,
  adventureBundle,
  adventureTree,
  characterCard,
  worldInfo,
  aiDungeonCards,
  koboldSave,
  scenarioBundle,
]

const ACCEPTED =
  'Inglenook reads its own files and those of the earlier release, AI Dungeon’s story cards, character cards, World Info and chats of SillyTavern, and saves of Kobold Lite.'

/**
 * What a file would bring into the library. It is known by its bytes; the name only gives a title to what has none.
 * Reads nothing but the bytes. Throws import_refused with a sentence for everything that cannot be read.
 */
export function readFile(bytes: Uint8Array, name: string): ImportPlan {
  if (bytes.length > LARGEST_FILE)
    throw refused(`This file is larger than ${LARGEST_FILE / 1024 / 1024} MB. It is not read.`)
  const plain = isPacked(bytes) ? unpacked(bytes) : bytes
  if (plain === null)
    throw refused(
      `This packed file is broken, or holds more than ${LARGEST_UNPACKED / 1024 / 1024} MB. It is not read.`,
    )
  const plan = planFrom(plain, titleFrom(name.replace(/\.gz$/i, '')))
  return { ...plan, adventures: plan.adventures.map(settled) }
}

function planFrom(bytes: Uint8Array, title: string): ImportPlan {
  if (bytes.length === 0) throw refused('This file is empty.')
  if (isPng(bytes)) return readCardPicture(bytes, title)
  const other = OTHERS.find(({ signature }) =>
    signature.every((byte, i) => byte === null || bytes[i] === byte),
  )
  if (other) throw refused(`${other.sentence} ${ACCEPTED}`)
  const text = textFrom(bytes)
  const file = jsonFrom(text)
  if (isObject(file) || Array.isArray(file)) {
    const format = FORMATS.find(({ fits }) => fits(file))
    if (format) return format.read(file, title)
  }
  if (isChat(text)) return readChat(text, title)
  throw refused(`${seen(file)} ${ACCEPTED}`)
}

const bytesOf = (text: string) => [...text].map((letter) => letter.charCodeAt(0))

const OTHERS: readonly { signature: readonly (number | null)[]; sentence: string }[] = [
  { signature: bytesOf('SQLite format 3\0'), sentence: 'This is a whole library. Restore it instead.' },
  {
    signature: bytesOf('PK\x03\x04'),
    sentence: 'This is a zip archive. Unpack it and import what is inside.',
  },
  { signature: [0xff, 0xd8, 0xff], sentence: 'This is a picture that carries no character.' },
  { signature: bytesOf('GIF8'), sentence: 'This is a picture that carries no character.' },
  {
    signature: [...bytesOf('RIFF'), null, null, null, null, ...bytesOf('WEBP')],
    sentence: 'This is a picture that carries no character.',
  },
  { signature: bytesOf('%PDF'), sentence: 'This is a PDF.' },
]

function seen(file: Holder | unknown): string {
  if (file === undefined) return 'This file is no JSON, or it was cut off.'
  if (isObject(file) && typeof file.format === 'string')
    return `Nothing here reads the format “${cutTo(file.format, 60)}”.`
  return 'This file is JSON, but holds no story that is known.'
}

/** A file's name as a title: without folders and without its ending. */
export function titleFrom(name: string): string {
  const [last = ''] = name.toWellFormed().split(/[/\\]/).slice(-1)
  const title = cutTo(last.replace(/\.[a-z0-9]{1,8}$/i, '').trim(), LIMITS.name)
  return isBlank(title) ? 'Imported' : title
}
