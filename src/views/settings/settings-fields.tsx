import { ADDRESSES, type Settings } from '../../domain/settings.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Choice, Field } from '../ui/field.tsx'
import { controlOf, type SettingControl } from './settings-form.ts'
import { type SettingGroup, type SettingItem, settingsIn } from './settings-list.ts'

interface SettingsFieldsProps {
  value: (name: keyof Settings) => string
  /** The optional settings that the model server supports; null for an unknown server. */
  takes: ReadonlySet<string> | null
  serverName: string
}

/** Narrow settings side by side, wide ones in rows of their own. */
export function SettingsFields({ group, ...props }: SettingsFieldsProps & { group: SettingGroup }): Markup {
  return (
    <>
      {rowsOf(settingsIn(group)).map((row) => {
        const fields = row.map((item) => <SettingField item={item} {...props} />)
        return row[0]?.isWide ? fields : <div class="pair">{fields}</div>
      })}
    </>
  )
}

function rowsOf(items: readonly SettingItem[]): SettingItem[][] {
  const rows: SettingItem[][] = []
  for (const item of items) {
    const row = rows.at(-1)
    if (row && !item.isWide && !row[0]?.isWide) row.push(item)
    else rows.push([item])
  }
  return rows
}

function SettingField({
  item,
  value,
  takes,
  serverName,
}: SettingsFieldsProps & { item: SettingItem }): Markup | null {
  const { name, label, choices, rows = 1 } = item
  const control = controlOf(name)
  const isSupported = !control.isOptional || takes === null || takes.has(name)
  const hint = isSupported ? item.hint : `${item.hint} ${serverName} does not support it, so it is not sent.`
  const common = { label, name, hint }
  if (choices) return <Choice {...common} chosen={value(name)} options={Object.entries(choices)} />
  // A value meant for another server stays in sight.
  if (!isSupported && value(name) === '') return null
  return <Field {...common} value={value(name)} rows={rows} {...inputFor(item, control)} />
}

function inputFor({ name, isModel }: SettingItem, { kind, isOptional, min, max }: SettingControl) {
  const more = { spellcheck: 'false', autocomplete: 'off' }
  if (ADDRESSES.some((address) => address === name)) return { more: { ...more, inputmode: 'url' } }
  if (isModel) return { list: 'models', more }
  if (kind !== 'number' && kind !== 'integer') return {}
  const step = kind === 'number' ? { step: 'any' } : {}
  const required = isOptional ? {} : { required: 'required' }
  return { type: 'number', more: { min: String(min), max: String(max), ...step, ...required } }
}
