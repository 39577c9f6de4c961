import type { FileFate } from '../../domain/portable/import-preview.ts'
import type { FileKind } from '../../domain/portable/portable.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { countOf, formatNumber } from '../ui/format-number.ts'
import { listed, some } from './choices.tsx'

const MAX_NAMES = 20

/** First, the files that cannot be imported. */
export function Files({ files }: { files: readonly FileFate[] }): Markup {
  const refused = files.filter(({ refusal }) => refusal !== null)
  const taken = files.filter(({ refusal }) => refusal === null)
  return (
    <>
      <FileRows files={refused} what="cannot be imported" isOpen={refused.length <= FEW} />
      <FileRows files={taken} what="can be imported" isOpen={false} />
    </>
  )
}

/** More files than these are listed only on request. */
const FEW = 20

interface FileRowsProps {
  files: readonly FileFate[]
  what: string
  isOpen: boolean
}

function FileRows({ files, what, isOpen }: FileRowsProps): Markup | null {
  if (files.length === 0) return null
  return (
    <details class="receipt" open={isOpen}>
      <summary>
        {countOf(files.length, 'file')} {what}
      </summary>
      <ul>
        {files.map((file) => (
          <li>
            <b dir="auto">{file.name}</b>: {file.refusal ?? fateInWords(file)}
          </li>
        ))}
      </ul>
    </details>
  )
}

function fateInWords(file: FileFate): string {
  const { scenarios, adventures, left } = file
  return listed([
    kindInWords(file),
    some(adventures, 'story', 'stories'),
    some(scenarios, 'scenario'),
    left === 0 ? '' : `${formatNumber(left)} left out`,
  ])
}

export function Names({ names }: { names: readonly string[] }): Markup {
  return (
    <>
      <b dir="auto">{names.slice(0, MAX_NAMES).join(', ')}</b>
      {names.length > MAX_NAMES ? ` and ${countOf(names.length - MAX_NAMES, 'other')}` : null}
    </>
  )
}

/** The name of each kind of file. Of two, the first is for a single scenario or story. */
const KINDS: Record<FileKind, string | readonly [one: string, several: string]> = {
  'inglenook-scenario': 'an Inglenook scenario',
  'inglenook-adventure': 'an Inglenook story',
  'ai-dnd-scenario-v1': 'a scenario from the earlier release',
  'ai-dnd-adventure-v1': 'a story from the earlier release',
  'ai-dnd-adventure-v2': 'a story from the earlier release, with its branches',
  'ai-dungeon-cards': 'a list of AI Dungeon story cards',
  'ai-dungeon-scenarios': ['an AI Dungeon scenario', 'a file of AI Dungeon scenarios'],
  'ai-dungeon-adventures': ['an AI Dungeon story', 'a file of AI Dungeon stories'],
  'character-card': 'a character card',
  'world-info': 'a lorebook',
  'sillytavern-chat': 'a SillyTavern chat',
  'kobold-lite': 'a KoboldAI Lite story',
  backyard: 'a character of Backyard',
  'agnai-chat': 'an Agnai chat',
  'webui-chat': 'a text-generation-webui chat',
  'risuai-lorebook': 'a RisuAI lorebook',
  'risuai-chat': ['a RisuAI chat', 'a file of RisuAI chats'],
  'novelai-lorebook': 'a NovelAI lorebook',
  'novelai-scenario': 'a NovelAI scenario',
  'novelai-story': 'a NovelAI story',
  text: 'a text',
  files: 'a set of files',
}

export function kindInWords({ kind, scenarios, adventures }: FileFate): string {
  const words = KINDS[kind ?? 'files']
  if (typeof words === 'string') return words
  return words[scenarios + adventures === 1 ? 0 : 1]
}
