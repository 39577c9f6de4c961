import type { Markup } from '../jsx/jsx-runtime.ts'

export interface FieldProps {
  label: string
  name: string
  value: string
  /** 1 makes a line, more a field of so many lines. */
  rows?: number
  type?: string
  hint?: string | undefined
  limit?: number
  list?: string
  more?: Record<string, string>
  /** Tells a field from others of the same name on the page. */
  scope?: string
}

/** The hint is where a screen reader finds it, but no part of the name. */
export function Field({
  label,
  name,
  value,
  rows = 1,
  type = 'text',
  hint,
  limit,
  list,
  more,
  scope = '',
}: FieldProps): Markup {
  const describedBy = hint ? `${scope}${name}-hint` : undefined
  const common = {
    name,
    dir: 'auto',
    translate: 'no',
    'aria-describedby': describedBy,
    maxlength: limit === undefined ? undefined : String(2 * limit),
    ...more,
  }
  return (
    <div class="field">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: one of the two controls below is always inside */}
      <label>
        <span>{label}</span>
        {rows === 1 ? (
          <input type={type} value={value} list={list} {...common} />
        ) : (
          <textarea rows={String(rows)} {...common}>{`\n${value}`}</textarea>
        )}
      </label>
      {hint ? <small id={describedBy}>{hint}</small> : null}
    </div>
  )
}

interface ChoiceProps {
  label: string
  name: string
  options: readonly (readonly [value: string, words: string])[]
  chosen?: string
  hint?: string | undefined
}

/** The first option is chosen when none is named. */
export function Choice({ label, name, options, chosen, hint }: ChoiceProps): Markup {
  const describedBy = hint ? `${name}-hint` : undefined
  return (
    <div class="field">
      <label>
        <span>{label}</span>
        <Select name={name} aria-describedby={describedBy} options={options} chosen={chosen} />
      </label>
      {hint ? <small id={describedBy}>{hint}</small> : null}
    </div>
  )
}

interface SelectProps {
  options: readonly (readonly [value: string, words: string])[]
  chosen: string | undefined
  name?: string
  'aria-describedby'?: string | undefined
}

/** Stands in a label. The first option is chosen when none is named. */
export function Select({ options, chosen, ...attributes }: SelectProps): Markup {
  return (
    <select {...attributes}>
      {options.map(([value, words]) => (
        <option value={value} selected={value === chosen}>
          {words}
        </option>
      ))}
    </select>
  )
}
