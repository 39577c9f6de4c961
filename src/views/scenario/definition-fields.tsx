import type { Markup } from '../jsx/jsx-runtime.ts'

interface FieldProps {
  label: string
  field: string
  path: string
  value: string
  hint?: string
  /** The only type of stat that has it. */
  only?: 'number' | 'text'
}

export function Input({ field, path, value, ...label }: FieldProps): Markup {
  return (
    <Labelled {...label}>
      <input name={`${field}:${path}`} dir="auto" translate="no" value={value} autocomplete="off" />
    </Labelled>
  )
}

export function Area({ field, path, value, rows, ...label }: FieldProps & { rows: number }): Markup {
  return (
    <Labelled {...label}>
      <textarea
        name={`${field}:${path}`}
        dir="auto"
        translate="no"
        rows={String(rows)}
      >{`\n${value}`}</textarea>
    </Labelled>
  )
}

export function Labelled({
  label,
  hint,
  only,
  children,
}: Pick<FieldProps, 'label' | 'hint' | 'only'> & { children: Markup }): Markup {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class={only && `of-${only}`}>
      <span>
        {label}
        {hint ? <small> {hint}</small> : null}
      </span>
      {children}
    </label>
  )
}

export function Check({ name, label, checked }: { name: string; label: string; checked: boolean }): Markup {
  return (
    <label class="check">
      <input type="checkbox" name={name} value="1" checked={checked} />
      <span>{label}</span>
    </label>
  )
}

export function RemoveButton({ path, name }: { path: string; name: string }): Markup {
  return (
    <button type="submit" class="quiet" name="do" value={`drop:${path}`} aria-label={`Remove ${name}`}>
      Remove
    </button>
  )
}
