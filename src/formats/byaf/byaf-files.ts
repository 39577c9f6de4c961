import { filledTexts } from '../../domain/start-from-scenario.ts'
import { isObject } from '../../lib/objects.ts'
import { strings } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { decodeText, parseJsonFile } from '../shared/json-file.ts'
import type { ZipFile } from '../zip/read-zip.ts'

const MANIFEST = 'manifest.json'
/** Scenarios of one character. */
const MAX_SCENARIOS = 200

/** Recognizes an archive of Backyard. */
export function isByaf(files: readonly { name: string }[]): boolean {
  return (
    files.some(({ name }) => name === MANIFEST) && files.some(({ name }) => name.startsWith('characters/'))
  )
}

type Json = Record<string, unknown>

/** The JSON files of an archive that count. */
export interface ByafFiles {
  manifest: Json
  character: Json
  /** The path of the character's files, up to its last slash. */
  folder: string
  scenarios: Json[]
  /** The same by the names of their files. */
  values: Map<string, Json>
}

/** Throws import_refused for an archive without a character. */
export function readFiles(files: readonly ZipFile[]): ByafFiles {
  const values = new Map<string, Json>()
  const read = (name: string): Json | null => {
    const value = values.get(name) ?? jsonIn(files, name)
    if (value) values.set(name, value)
    return value
  }
  const manifest = read(MANIFEST)
  const [path = ''] = listed(manifest, 'characters')
  const character = read(path)
  if (!manifest || !character)
    throw importRefused('This archive of Backyard has no character that can be read.')
  const paths = listed(manifest, 'scenarios')
  if (paths.length > MAX_SCENARIOS)
    throw importRefused(`This character has more than ${MAX_SCENARIOS} scenarios.`)
  const scenarios = [...new Set(paths)].map(read).filter((one) => one !== null)
  return {
    manifest,
    character,
    folder: path.slice(0, path.lastIndexOf('/') + 1),
    scenarios: scenarios.length > 0 ? scenarios : [{}],
    values,
  }
}

function listed(manifest: Json | null, key: string): string[] {
  const list = manifest?.[key]
  return Array.isArray(list) ? strings(list) : []
}

function jsonIn(files: readonly ZipFile[], name: string): Json | null {
  const content = files.find((file) => file.name === name)?.read()
  const value = content && parseJsonFile(decodeText(content))
  // The macros of Backyard become those that all other programs have.
  return isObject(value) ? (filledTexts(value, withCommonMacros) as Json) : null
}

const MACRO = /(?<!\{)#?\{(character|user)\}(?!\})/gi

function withCommonMacros(text: string): string {
  return text.replace(MACRO, (_, who: string) => (who.toLowerCase() === 'user' ? '{{user}}' : '{{char}}'))
}

/** The first picture of the character that is in the archive. */
export function coverIn(
  files: readonly ZipFile[],
  { character, folder }: ByafFiles,
): { name: string; bytes: Uint8Array } | null {
  const images = Array.isArray(character.images) ? character.images.filter(isObject) : []
  const paths = strings(images.map(({ path }) => path))
  const named = paths.flatMap((path) => files.find(({ name }) => name === folder + path) ?? [])
  const bytes = named[0]?.read()
  return named[0] && bytes ? { name: named[0].name, bytes } : null
}
