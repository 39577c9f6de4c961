import { MAX_IMPORT_BYTES } from '../domain/limits.ts'
import type { ImportPlan } from '../domain/portable/portable.ts'
import { gunzip, isGzip } from '../lib/bytes.ts'
import { isObject } from '../lib/objects.ts'
import { isBlank } from '../lib/text.ts'
import { agnaiChat } from './agnai/parse-chat.ts'
import { aiDungeonAdventures } from './ai-dungeon/parse-adventures.ts'
import { aiDungeonCards } from './ai-dungeon/parse-cards.ts'
import { aiDungeonScenarios } from './ai-dungeon/parse-scenarios.ts'
import { isByaf } from './byaf/byaf-files.ts'
import { parseByaf } from './byaf/parse-byaf.ts'
import { characterCard, parseCardPng } from './character-card/parse-card.ts'
import { parseCharx } from './character-card/parse-charx.ts'
import { isOtherYaml, parseCharacterYaml } from './character-card/parse-yaml.ts'
import {
  type DocumentText,
  documentText,
  isDocument,
  isWebPage,
  webPageText,
} from './document/document-text.ts'
import { earlierAdventure } from './earlier-release/parse-adventure.ts'
import { earlierScenario } from './earlier-release/parse-scenario.ts'
import { earlierTree } from './earlier-release/parse-tree.ts'
import { titleFrom } from './file-name.ts'
import type { Format } from './format.ts'
import { MAX_UNPACKED_BYTES } from './import-limits.ts'
import { inglenookAdventure } from './inglenook/parse-adventure.ts'
import { inglenookScenario } from './inglenook/parse-scenario.ts'
import { koboldSave } from './kobold/parse-save.ts'
import {
  novelaiLorebook,
  novelaiScenario,
  novelaiStory,
  parseLorebookPicture,
} from './novelai/parse-novelai.ts'
import { pictureType } from './picture/picture-facts.ts'
import { parseText } from './plain-text/parse-text.ts'
import { reconciledAdventure } from './reconcile-import.ts'
import { risuChats } from './risuai/parse-chats.ts'
import { risuLorebook } from './risuai/parse-lore.ts'
import { importRefused } from './shared/import-refused.ts'
import { decodeText, parseJsonFile } from './shared/json-file.ts'
import { isChat, parseChat } from './sillytavern-chat/parse-chat.ts'
import { knownOther, unknownJson, unreadableText } from './unknown-file.ts'
import { webuiChat } from './webui/parse-chat.ts'
import { worldInfo } from './world-info/parse-world-info.ts'
import { ZIP_SENTENCES } from './zip/archived-files.ts'
import { bytesInMemory } from './zip/byte-source.ts'
import { hasZip, isZip, readZip } from './zip/read-zip.ts'

/** In the order in which they are tried: formats that name themselves come before those recognized by their keys. */
const FORMATS: readonly Format[] = [
  inglenookScenario,
  inglenookAdventure,
  earlierAdventure,
  earlierTree,
  characterCard,
  novelaiLorebook,
  novelaiScenario,
  novelaiStory,
  risuLorebook,
  risuChats,
  agnaiChat,
  webuiChat,
  worldInfo,
  koboldSave,
  aiDungeonAdventures,
  aiDungeonScenarios,
  earlierScenario,
  aiDungeonCards,
]

/** Appended to the reason why an unknown file is refused. */
export const ACCEPTED =
  'Inglenook can import stories, scenarios, character cards, lorebooks and chats of Inglenook, AI Dungeon, SillyTavern, KoboldAI, NovelAI, RisuAI, Agnai, Backyard, JanitorAI and text-generation-webui, texts, books (EPUB) and documents (Word, OpenDocument, web pages), and zip archives of these.'

/**
 * Plans the additions of a file to the library. The format is recognized by the bytes; `name` is only a title for
 * content without one. Throws import_refused.
 */
export function parseFile(bytes: Uint8Array, name: string): ImportPlan {
  if (bytes.length > MAX_IMPORT_BYTES)
    throw importRefused(
      `This file is larger than ${MAX_IMPORT_BYTES / 1024 / 1024} MB, the most that can be imported.`,
    )
  const plain = isGzip(bytes) ? gunzip(bytes, MAX_UNPACKED_BYTES) : bytes
  if (plain === null)
    throw importRefused(
      `This compressed file is broken, or holds more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MB.`,
    )
  const plan = planFrom(plain, titleFrom(name.replace(/\.gz$/i, '')))
  return { ...plan, adventures: plan.adventures.map(reconciledAdventure) }
}

function planFrom(bytes: Uint8Array, title: string): ImportPlan {
  if (bytes.length === 0) throw importRefused('This file is empty.')
  const picture = pictureType(bytes)
  if (picture === 'png') return parseLorebookPicture(bytes) ?? parseCardPng(bytes, title)
  if (isZip(bytes) || (picture !== null && hasZip(bytes))) return parseArchive(bytes, title)
  if (picture !== null) throw importRefused(`This picture does not contain a character card. ${ACCEPTED}`)
  const other = knownOther(bytes)
  if (other) throw importRefused(`${other} ${ACCEPTED}`)
  const text = decodeText(bytes)
  const file = parseJsonFile(text)
  if (isObject(file) || Array.isArray(file)) {
    const format = FORMATS.find(({ matches }) => matches(file))
    if (format) return format.parse(file, title)
  }
  if (isChat(text)) return parseChat(text, title)
  if (file !== undefined) throw importRefused(`${unknownJson(file)} ${ACCEPTED}`)
  const yaml = parseCharacterYaml(text)
  if (yaml) return characterCard.parse(yaml, title)
  if (isWebPage(text)) return parseDocument(webPageText(text), title)
  const unreadable = unreadableText(text)
  if (unreadable) throw importRefused(`${unreadable} ${ACCEPTED}`)
  if (isOtherYaml(text)) throw importRefused(`This is YAML, but no character. ${ACCEPTED}`)
  if (isBlank(text)) throw importRefused('This file has no words.')
  return parseText(text, title)
}

function parseArchive(bytes: Uint8Array, title: string): ImportPlan {
  const files = readZip(bytesInMemory(bytes))
  if (typeof files === 'string') throw importRefused(ZIP_SENTENCES[files])
  if (isDocument(files)) return parseDocument(documentText(files), title)
  return isByaf(files) ? parseByaf(files, title) : parseCharx(files, title)
}

function parseDocument({ title, text }: DocumentText, fileTitle: string): ImportPlan {
  return parseText(text, title || fileTitle)
}
