import type { FieldError } from '../../domain/errors.ts'
import { listToLines } from '../../domain/world/schema-form.ts'
import { isObject, objectIn, ownValue } from '../../lib/objects.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Select } from '../ui/field.tsx'
import { countOf } from '../ui/format-number.ts'
import { Area, Check, Input, Labelled, RemoveButton } from './definition-fields.tsx'

/** A definition as its author wrote it, valid or not. */
type Definition = Record<string, unknown>

interface DefinitionProps {
  /** The place in the form: `player.coins`, `npc.mira.trust`. */
  path: string
  name: string
  definition: Definition
}

interface CharacterFieldsProps {
  id: string
  npc: Definition
  faults: readonly FieldError[]
}

export function CharacterFields({ id, npc, faults }: CharacterFieldsProps): Markup {
  const path = `npc.${id}`
  const fieldOf = fieldsIn(path, npc)
  const name = textOf(npc, 'name')
  return (
    <fieldset class="counted">
      <legend>{name || nameOf(id)}</legend>
      <div class="at-once">
        <Input label="ID" field="name" path={path} value={id.trim()} hint="for the model" />
        <Input label="Name" field="shown" path={path} value={name} />
        <Input label="Aliases" {...fieldOf('keys')} hint="separated by commas" />
        <RemoveButton path={path} name={name || nameOf(id)} />
      </div>
      <Area label="Description" {...fieldOf('desc')} rows={1} />
      {statFieldsOf(path, objectIn(npc, 'stats'), faults)}
      <p>
        <button type="submit" name="do" value={`add:${path}`}>
          Add stat for {name || id.trim() || 'this character'}
        </button>
      </p>
    </fieldset>
  )
}

export function statFieldsOf(section: string, stats: Definition, faults: readonly FieldError[]): Markup[] {
  return Object.entries(stats).map(([name, definition]) => (
    <StatFields
      path={`${section}.${name}`}
      name={name}
      definition={isObject(definition) ? definition : {}}
      faults={faults}
    />
  ))
}

/** The usual fields in a row, the others folded. The style sheet shows those of the stat's type. */
function StatFields({ faults, ...props }: DefinitionProps & { faults: readonly FieldError[] }): Markup {
  const { path, definition } = props
  const type = textOf(definition, 'type') || 'number'
  const fieldOf = fieldsIn(path, definition)
  const more = (
    <details open={faults.some((fault) => isWithin(fault, path))}>
      <summary>
        More options <span class="about">{summaryOf(definition, type)}</span>
      </summary>
      <MoreFields path={path} definition={definition} />
    </details>
  )
  return (
    <DefinitionFields {...props} more={more}>
      <TypeSelect path={path} type={type} />
      <Input label="Start" {...fieldOf('initial')} />
      <Input label="Min" {...fieldOf('min')} only="number" />
      <Input label="Max" {...fieldOf('max')} only="number" />
    </DefinitionFields>
  )
}

/** The fields that every definition has; its own ones go between the name and the button. */
function DefinitionFields({
  path,
  name,
  definition,
  children,
  more,
}: DefinitionProps & { children?: Child; more?: Markup }): Markup {
  return (
    <fieldset class="counted">
      <legend class="unseen">{textOf(definition, 'label') || nameOf(name)}</legend>
      <div class="at-once">
        <Input label="Name" field="name" path={path} value={name.trim()} />
        {children}
        <RemoveButton path={path} name={nameOf(name)} />
      </div>
      <Area label="Description for the model" {...fieldsIn(path, definition)('desc')} rows={1} />
      {more}
    </fieldset>
  )
}

const TYPES = [
  ['number', 'Number'],
  ['counter', 'Counts up'],
  ['text', 'Text'],
] as const

const BETTER = [
  ['', 'Not set'],
  ['up', 'More'],
  ['down', 'Less'],
] as const

function TypeSelect({ path, type }: { path: string; type: string }): Markup {
  const isKnown = TYPES.some(([value]) => value === type)
  return (
    <label>
      <span>Type</span>
      <Select name={`type:${path}`} options={isKnown ? TYPES : [...TYPES, [type, type]]} chosen={type} />
    </label>
  )
}

function MoreFields({ path, definition }: Omit<DefinitionProps, 'name'>): Markup {
  const fieldOf = fieldsIn(path, definition)
  return (
    <>
      <div class="fields">
        <Input label="Display name" {...fieldOf('label')} />
        <Input label="Max change per turn" {...fieldOf('max_delta_per_turn')} only="number" />
        <Input label="Max gain per turn" {...fieldOf('max_gain_per_turn')} only="number" />
        <Input label="Max loss per turn" {...fieldOf('max_loss_per_turn')} only="number" />
        <Input label="Max length" {...fieldOf('max_length')} only="text" hint="in characters" />
        <Input label="Cooldown" {...fieldOf('cooldown')} hint="in passages, 2 per turn" />
        <Labelled label="Better is" hint="colors its changes" only="number">
          <Select name={`better:${path}`} options={BETTER} chosen={textOf(definition, 'better')} />
        </Labelled>
      </div>
      <Area
        label="Labels by range"
        {...linesIn(path, definition, 'bands')}
        only="number"
        hint="One per line, such as “0 to 12 numb with cold”. A range ends just before its second number"
      />
      <Area
        label="Allowed values"
        {...linesIn(path, definition, 'options')}
        only="text"
        hint="One per line. Leave empty for free text"
      />
      <Check name={`hidden:${path}`} label="Hidden from the model" checked={isOn(definition, 'hidden')} />
    </>
  )
}

function summaryOf(definition: Definition, type: string): string {
  const value = (label: string, field: string, unit = '') => {
    const text = textOf(definition, field)
    return text === '' ? '' : `${label} ${text}${unit}`
  }
  const count = (field: string, one: string, many: string) => {
    const list = ownValue(definition, field)
    return Array.isArray(list) && list.length > 0 ? countOf(list.length, one, many) : ''
  }
  const ofType =
    type === 'text'
      ? [value('max', 'max_length', ' characters'), count('options', 'allowed value', 'allowed values')]
      : [
          value('max change', 'max_delta_per_turn'),
          value('max gain', 'max_gain_per_turn'),
          value('max loss', 'max_loss_per_turn'),
          count('bands', 'label', 'labels'),
          value('better', 'better'),
        ]
  const all = [
    value('shown as', 'label'),
    ...ofType,
    value('cooldown', 'cooldown'),
    isOn(definition, 'hidden') ? 'hidden' : '',
  ]
  return all.filter(Boolean).join(' · ')
}

/** The path of an error as authors and the model write it: npc.ID.NAME, which is /npcs/ID/stats/NAME in the schema. */
export function formPath(path: string): string {
  const at = path.replace(/^\//, '').replaceAll('/', '.')
  return at.replace(/^npcs\.([^.]*)(?:\.stats)?(?=\.|$)/, 'npc.$1')
}

function isWithin(fault: FieldError, path: string): boolean {
  return `${formPath(fault.path)}.`.startsWith(`${path}.`)
}

/** Only a flag has a start. */
export function FlagFields({ hasStart = false, ...props }: DefinitionProps & { hasStart?: boolean }): Markup {
  const { path, definition } = props
  return (
    <DefinitionFields {...props}>
      <Input label="Display name" {...fieldsIn(path, definition)('label')} />
      {hasStart ? (
        <Check name={`on:${path}`} label="Starts on" checked={isOn(definition, 'initial')} />
      ) : null}
    </DefinitionFields>
  )
}

/** A new entry is blank until its author names it. */
function nameOf(id: string): string {
  return id.trim() || 'unnamed'
}

function fieldsIn(path: string, definition: Definition) {
  return (field: string) => ({ field, path, value: textOf(definition, field) })
}

/** One entry per line. */
function linesIn(path: string, definition: Definition, field: string) {
  return { field, path, value: listToLines(ownValue(definition, field)), rows: 3 }
}

function isOn(definition: Definition, field: string): boolean {
  return ownValue(definition, field) === true
}

function textOf(definition: Definition, field: string): string {
  const value = ownValue(definition, field)
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
