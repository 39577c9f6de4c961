import type { ImportPreview } from '../../domain/portable/import-preview.ts'
import type { FileKind } from '../../domain/portable/portable.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { countOf } from '../ui/format-number.ts'

/** Names that are shown for one reason. */
const MAX_NAMES = 20

/** Which of several files cannot be imported, and why. */
export function RejectedFiles({ files }: { files: ImportPreview['rejected_files'] }): Markup | null {
  const count = files.reduce((sum, { names }) => sum + names.length, 0)
  if (count === 0) return null
  return (
    <>
      <p>{countOf(count, 'file')} cannot be imported:</p>
      <ul>
        {files.map(({ reason, names }) => (
          <li>
            <Names names={names} />: {reason}
          </li>
        ))}
      </ul>
    </>
  )
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

export function kindInWords({ kind, scenarios, adventures }: ImportPreview): string {
  const words = KINDS[kind]
  if (typeof words === 'string') return words
  return words[scenarios.length + adventures.length === 1 ? 0 : 1]
}
