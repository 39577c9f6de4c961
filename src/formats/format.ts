import type { FileKind, ImportPlan, PortableAction, PortableActions } from '../domain/portable/portable.ts'
import { isObject } from '../lib/objects.ts'
import { Fields } from './shared/fields.ts'
import { importRefused } from './shared/import-refused.ts'
import { type JsonContainer, ReceiptBuilder } from './shared/receipt.ts'

/** Recognizes and parses the JSON files of one format. */
export interface Format {
  kind: FileKind
  matches: (file: JsonContainer) => boolean
  /** `title` comes from the name of the file, for content without a title. Throws import_refused. */
  parse: (file: JsonContainer, title: string) => ImportPlan
}

/** The fields of a whole file. Throws import_refused for a list. */
export function rootFields(file: JsonContainer): Fields {
  if (!isObject(file)) throw importRefused('This file holds a list where an object is expected.')
  return new Fields(new ReceiptBuilder(), file)
}

export interface FileFields {
  receipt: ReceiptBuilder
  source: JsonContainer
}

type ImportContent<Actions extends PortableActions> = Partial<
  Pick<ImportPlan<Actions>, 'scenarios' | 'adventures' | 'story_cards'>
>

/** A plan with the receipt of a whole file. */
export function planOf<Actions extends PortableActions = PortableAction[]>(
  kind: FileKind,
  { receipt, source }: FileFields,
  content: ImportContent<Actions>,
): ImportPlan<Actions> {
  return {
    kind,
    scenarios: [],
    adventures: [],
    story_cards: [],
    ...content,
    receipt: receipt.build(source),
  }
}
