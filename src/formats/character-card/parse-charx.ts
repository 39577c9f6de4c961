import type { ImportPlan } from '../../domain/portable/portable.ts'
import { isObject, objectIn } from '../../lib/objects.ts'
import { planOf } from '../format.ts'
import { pictureUri } from '../shared/cover.ts'
import { Fields } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { decodeText, parseJsonFile } from '../shared/json-file.ts'
import { ReceiptBuilder } from '../shared/receipt.ts'
import { archiveKeys } from '../zip/archive-keys.ts'
import type { ZipFile } from '../zip/read-zip.ts'
import { archivedName, mainIcon, notePicture } from './icon.ts'
import { isCharacter, parseCharacter } from './parse-character.ts'

const CARD = 'card.json'
/** RisuAI's addition to its cards. */
const MODULE = 'module.risum'
const LORE_IN_BOTH = 'A packed module of RisuAI: its lore is in card.json, its scripts are never run'
const LORE_IN_MODULE =
  'A packed module of RisuAI, which is not read: export its lorebook there as JSON, and import that, too'

/**
 * A character card in a zip archive (.charx), also after a picture. The receipt lists each file of the archive as a key.
 * Throws import_refused.
 */
export function parseCharx(files: readonly ZipFile[], title: string): ImportPlan {
  const card = cardIn(files)
  const file = new Fields(new ReceiptBuilder(), archiveKeys(files, new Map([[CARD, card]])))
  file.left('entries' in objectIn(card.data, 'character_book') ? LORE_IN_BOTH : LORE_IN_MODULE, MODULE)
  const icon = iconIn(files, card)
  const picture = icon && pictureUri(icon.bytes)
  const { scenario, isOurs } = parseCharacter(new Fields(file.receipt, card), {
    title,
    picture: picture ?? '',
  })
  if (icon && !isOurs) notePicture(file, icon.name, picture)
  const plan = planOf('character-card', file, { scenarios: [scenario] })
  return icon && !picture && !isOurs ? { ...plan, oversized: icon.bytes } : plan
}

function cardIn(files: readonly ZipFile[]): Record<string, unknown> {
  const found = files.find(({ name }) => name === CARD)
  if (!found)
    throw importRefused(
      'This zip archive has no character card in it. Extract it and import the files inside.',
    )
  const content = found.read()
  const card = content && parseJsonFile(decodeText(content))
  if (!isObject(card) || !isCharacter(card))
    throw importRefused('The card.json in this archive is broken, or no character card.')
  return card
}

function iconIn(
  files: readonly ZipFile[],
  card: Record<string, unknown>,
): { name: string; bytes: Uint8Array } | null {
  const { assets } = isObject(card.data) ? card.data : card
  const icon = Array.isArray(assets) ? mainIcon(assets, (asset) => asset) : null
  const name = isObject(icon) ? archivedName(icon.uri) : null
  const bytes = files.find((file) => file.name === name)?.read() ?? null
  return bytes && name ? { name, bytes } : null
}
