import { type TSchema, Type } from '@sinclair/typebox'
import { SAMPLING_PRESETS } from '../../domain/model/sampling-presets.ts'
import { type Settings, settingsFields } from '../../domain/settings.ts'
import { validated } from '../../domain/validation.ts'
import type { FormFields } from '../respond.tsx'

/** An optional setting is null, and not sent to the model server, when its field is empty. */
export interface SettingControl {
  kind: 'number' | 'integer' | 'boolean' | 'text' | 'choice'
  isOptional: boolean
  min: number
  max: number
}

const CONTROLS = new Map(
  Object.entries(settingsFields().properties).map(([name, schema]) => [name, controlFrom(schema)]),
)

/** Anything that is not a setting is text. */
export function controlOf(name: string): SettingControl {
  return CONTROLS.get(name) ?? { kind: 'text', isOptional: false, min: 0, max: 0 }
}

/** A preset replaces the typed numbers. Throws invalid. */
export function settingsFrom({ preset, ...fields }: FormFields): Partial<Settings> {
  const values = Object.entries(fields).map(([name, text]) => [name, valueFrom(text, controlOf(name))])
  const chosen = Object.entries(SAMPLING_PRESETS).find(([name]) => name === preset)?.[1]
  return validated(Type.Partial(settingsFields()), { ...Object.fromEntries(values), ...chosen })
}

function controlFrom(schema: TSchema): SettingControl {
  const members: TSchema[] = schema.anyOf ?? []
  const isOptional = members.some(({ type }) => type === 'null')
  const { anyOf, type, minimum: min, maximum: max } = (isOptional && members[0]) || schema
  const kind = anyOf ? 'choice' : type === 'string' ? 'text' : type
  return { kind, isOptional, min, max }
}

function valueFrom(text: string, { kind, isOptional }: SettingControl): unknown {
  const isEmpty = text.trim() === ''
  if (isOptional && isEmpty) return null
  if (kind === 'boolean') return text === 'true'
  // An empty number is refused. It does not mean zero.
  return (kind === 'number' || kind === 'integer') && !isEmpty ? Number(text) : text
}
