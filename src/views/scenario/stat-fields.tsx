import type { Fault } from '../../domain/errors.ts'
import { isObject, objectIn, ownValue } from '../../lib/objects.ts'
import { linesOf } from '../../domain/world/schema-form.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'

/** A definition as its author wrote it, sound or not. */
export type Def = Record<string, unknown>

/** A character of the story: who it is, and what is counted of it. */
export function Character({ id, npc, faults }: { id: string; npc: Def; faults: readonly Fault[] }): Markup {
  const path = `npc.${id}`
  const kept = keptIn(path, npc)
  const name = textOf(npc, 'name')
  return (
    <fieldset class="counted">
      <legend>{name || id}</legend>
      <div class="at-once">
        <Input label="Short name, for the model" field="name" path={path} value={id} />
        <Input label="Name" field="shown" path={path} value={name} />
        <Input label="Named in the story as" {...kept('keys')} hint="with commas" />
        <Remove path={path} what={name || id} />
      </div>
      <Area label="Description" {...kept('desc')} rows={1} />
      {statsOf(path, objectIn(npc, 'stats'), faults)}
      <p>
        <button type="submit" name="do" value={`add:${path}`}>
          Add a stat of theirs
        </button>
      </p>
    </fieldset>
  )
}

/** The fields of every stat of a section. */
export function statsOf(section: string, stats: Def, faults: readonly Fault[]): Markup[] {
  return Object.entries(stats).map(([name, def]) => (
    <StatFields path={`${section}.${name}`} name={name} def={isObject(def) ? def : {}} faults={faults} />
  ))
}

const KINDS = [
  ['number', 'Number'],
  ['counter', 'Counts up only'],
  ['text', 'Text'],
] as const

/** The fields of one stat: what is asked of each in a row, the rest folded. The style sheet shows those of its kind. */
function StatFields({
  path,
  name,
  def,
  faults,
}: {
  path: string
  name: string
  def: Def
  faults: readonly Fault[]
}): Markup {
  const kind = textOf(def, 'type') || 'number'
  const kept = keptIn(path, def)
  return (
    <fieldset class="counted">
      <legend class="unseen">{textOf(def, 'label') || name}</legend>
      <div class="at-once">
        <Input label="Name" field="name" path={path} value={name} />
        <label>
          <span>Kind</span>
          <select name={`type:${path}`}>
            {KINDS.map(([value, words]) => (
              <option value={value} selected={value === kind}>
                {words}
              </option>
            ))}
            {KINDS.some(([value]) => value === kind) ? null : (
              <option value={kind} selected>
                {kind}
              </option>
            )}
          </select>
        </label>
        <Input label="Begins at" {...kept('initial')} />
        <Input label="Least" {...kept('min')} of="number" />
        <Input label="Most" {...kept('max')} of="number" />
        <Remove path={path} what={name} />
      </div>
      <Area label="Description, for the model" {...kept('desc')} rows={1} />
      <details open={faults.some((fault) => isOf(fault, path))}>
        <summary>
          More <span class="about">{moreOf(def, kind)}</span>
        </summary>
        <div class="fields">
          <Input label="Shown as" {...kept('label')} />
          <Input label="Moves in a turn" {...kept('max_delta_per_turn')} of="number" hint="by at most" />
          <Input label="Gains in a turn" {...kept('max_gain_per_turn')} of="number" hint="by at most" />
          <Input label="Loses in a turn" {...kept('max_loss_per_turn')} of="number" hint="by at most" />
          <Input label="Longest" {...kept('max_length')} of="text" hint="in characters" />
          <Input label="Rests after a change" {...kept('cooldown')} hint="in actions, two a turn" />
        </div>
        <Area
          label="Bands"
          field="bands"
          path={path}
          value={linesOf(ownValue(def, 'bands'))}
          rows={3}
          of="number"
          hint="A line each, such as “0 to 12 numb with cold”"
        />
        <Area
          label="Only one of these"
          field="options"
          path={path}
          value={linesOf(ownValue(def, 'options'))}
          rows={3}
          of="text"
          hint="A line each; leave it empty for free text"
        />
        <label class="check">
          <input
            type="checkbox"
            name={`hidden:${path}`}
            value="1"
            checked={ownValue(def, 'hidden') === true}
          />
          <span>Hidden from the model</span>
        </label>
      </details>
    </fieldset>
  )
}

/** What is folded away, in words. */
function moreOf(def: Def, kind: string): string {
  const words = (field: string, before: string, after = '') => {
    const text = textOf(def, field)
    return text === '' ? '' : `${before} ${text}${after}`
  }
  const many = (field: string, one: string) => {
    const list = ownValue(def, field)
    return Array.isArray(list) && list.length > 0
      ? `${list.length} ${one}${list.length === 1 ? '' : 's'}`
      : ''
  }
  const ofKind =
    kind === 'text'
      ? [words('max_length', 'at most', ' characters'), many('options', 'choice')]
      : [
          words('max_delta_per_turn', 'moves by at most'),
          words('max_gain_per_turn', 'gains at most'),
          words('max_loss_per_turn', 'loses at most'),
          many('bands', 'band'),
        ]
  const all = [
    words('label', 'shown as'),
    ...ofKind,
    words('cooldown', 'rests', ' actions'),
    ownValue(def, 'hidden') === true ? 'hidden' : '',
  ]
  return all.filter(Boolean).join(' · ')
}

/** Whether something is to be mended in a stat; the path of a fault goes through the schema, not through the form. */
function isOf(fault: Fault, path: string): boolean {
  const at = fault.path.split(/[/.]/).filter(Boolean).join('.')
  return `${at.replace(/^npcs\.([^.]+)\.stats\./, 'npc.$1.')}.`.startsWith(`${path}.`)
}

/** A flag or a milestone. `starts` asks how it begins. */
export function Switch({
  path,
  name,
  def,
  starts = false,
}: {
  path: string
  name: string
  def: Def
  starts?: boolean
}): Markup {
  const kept = keptIn(path, def)
  return (
    <fieldset class="counted">
      <legend class="unseen">{textOf(def, 'label') || name}</legend>
      <div class="at-once">
        <Input label="Name" field="name" path={path} value={name} />
        <Input label="Shown as" {...kept('label')} />
        {starts ? (
          <label class="check">
            <input
              type="checkbox"
              name={`on:${path}`}
              value="1"
              checked={ownValue(def, 'initial') === true}
            />
            <span>Begins as yes</span>
          </label>
        ) : null}
        <Remove path={path} what={name} />
      </div>
      <Area label="Description, for the model" {...kept('desc')} rows={1} />
    </fieldset>
  )
}

interface FieldProps {
  label: string
  field: string
  path: string
  value: string
  hint?: string
  /** Only for stats of this kind. */
  of?: 'number' | 'text'
}

function Input({ label, field, path, value, hint, of }: FieldProps): Markup {
  return (
    <label class={of && `of-${of}`}>
      <span>
        {label}
        {hint ? <small> {hint}</small> : null}
      </span>
      <input name={`${field}:${path}`} value={value} autocomplete="off" />
    </label>
  )
}

function Area({ label, field, path, value, hint, rows, of }: FieldProps & { rows: number }): Markup {
  return (
    <label class={of && `of-${of}`}>
      <span>
        {label}
        {hint ? <small> {hint}</small> : null}
      </span>
      <textarea name={`${field}:${path}`} rows={String(rows)}>{`\n${value}`}</textarea>
    </label>
  )
}

function Remove({ path, what }: { path: string; what: string }): Markup {
  return (
    <button type="submit" class="quiet" name="do" value={`drop:${path}`} aria-label={`Remove ${what}`}>
      Remove
    </button>
  )
}

/** A field of one definition: where it stands and what is in it. */
function keptIn(path: string, def: Def) {
  return (field: string) => ({ field, path, value: textOf(def, field) })
}

function textOf(def: Def, key: string): string {
  const value = ownValue(def, key)
  return value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
}
