import type { MemoryBank } from '../../app/memory/memories.ts'
import type { Adventure } from '../../domain/adventure.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Memory } from '../../domain/memory.ts'
import { Field } from '../ui/field.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { PanelHead } from './panel-head.tsx'

export interface MemoryPanelProps {
  adventure: Adventure
  bank: MemoryBank
  practice: boolean
}

/** What a story is remembered by: notes that the model has made in idle time, and the player's own. */
export function MemoryPanel({ adventure, bank, practice }: MemoryPanelProps): Markup {
  const action = `/adventures/${adventure.id}/memories`
  const [kept, forgotten] = [false, true].map((is) => bank.memories.filter((one) => one.forgotten === is))
  return (
    <section class="plot" aria-label="Memory">
      <PanelHead adventureId={adventure.id} name="memory">
        Memory
      </PanelHead>
      <form method="post" action={`/adventures/${adventure.id}`} class="row">
        <Switch
          name="memory_bank_enabled"
          on={adventure.memory_bank_enabled}
          label="Make a memory every six passages"
        />
        <Switch
          name="auto_summarize"
          on={adventure.auto_summarize}
          label="Keep a summary, every fifteen passages"
        />
        <button type="submit">Save</button>
      </form>
      {practice ? (
        <p class="about">The practice narrator makes no memories: connect a model for that.</p>
      ) : null}
      <MemoryStatus adventureId={adventure.id} bank={bank} />
      <div id="memories">
        {(kept ?? []).length === 0 ? (
          <p class="about">Nothing yet. The first memories come with the thirteenth passage.</p>
        ) : null}
        <ul class="memories">
          {(kept ?? []).map((memory) => (
            <MemoryItem action={action} memory={memory} />
          ))}
        </ul>
      </div>
      <details>
        <summary>Add a memory of your own</summary>
        <form method="post" action={action}>
          <Field label="What should be remembered" name="text" value="" rows={2} limit={LIMITS.memory} />
          <button type="submit">Remember it</button>
        </form>
      </details>
      {(forgotten ?? []).length > 0 ? (
        <details>
          <summary>Forgotten ({(forgotten ?? []).length})</summary>
          <ul class="memories">
            {(forgotten ?? []).map((memory) => (
              <MemoryItem action={action} memory={memory} />
            ))}
          </ul>
        </details>
      ) : null}
    </section>
  )
}

/** What is being remembered just now, or why it was not. It looks again while something happens. */
function MemoryStatus({ adventureId, bank }: { adventureId: number; bank: MemoryBank }): Markup {
  const words =
    bank.busy !== ''
      ? `${bank.busy}…`
      : bank.trouble
        ? `The last try failed: ${bank.trouble.detail} ${bank.trouble.rests > 0 ? `It rests for ${bank.trouble.rests} of your turns.` : ''}`
        : ''
  return (
    <div id="memory-status">
      <p
        role="status"
        class="about"
        {...(bank.busy === ''
          ? {}
          : {
              'hx-get': `/adventures/${adventureId}?panel=memory`,
              'hx-trigger': 'every 2s',
              'hx-select': '#memory-status',
              'hx-target': '#memory-status',
              'hx-swap': 'outerHTML',
              'hx-select-oob': '#memories',
            })}
      >
        {words}
      </p>
      {bank.trouble ? (
        <form method="post" action={`/adventures/${adventureId}/memories/again`}>
          <button type="submit">Try again now</button>
        </form>
      ) : null}
    </div>
  )
}

function MemoryItem({ action, memory }: { action: string; memory: Memory }): Markup {
  const { id, text, pinned, forgotten, source_start, source_end, use_count, stale } = memory
  const whence = source_start === null ? 'Written by you' : `Passages ${source_start} to ${source_end}`
  return (
    <li class={forgotten ? 'off' : undefined}>
      <p>{text}</p>
      <p class="about">
        {whence}
        {use_count > 0 ? `, recalled ${use_count === 1 ? 'once' : `${use_count} times`}` : null}
        {pinned ? ', pinned' : null}
        {stale ? ', out of date: it is made anew' : null}
      </p>
      <details>
        <summary>Change</summary>
        <form method="post" action={`${action}/${id}`}>
          <Field label="Words" name="text" value={text} rows={2} limit={LIMITS.memory} />
          <p class="row">
            <button type="submit">Save</button>
            <button type="submit" name="do" value={pinned ? 'unpin' : 'pin'}>
              {pinned ? 'Unpin' : 'Pin: always recall it'}
            </button>
            <button type="submit" name="do" value={forgotten ? 'restore' : 'forget'}>
              {forgotten ? 'Restore' : 'Forget'}
            </button>
            <button type="submit" name="do" value="delete" class="danger">
              Delete
            </button>
          </p>
        </form>
      </details>
    </li>
  )
}

function Switch({ name, on, label }: { name: string; on: boolean; label: string }): Markup {
  return (
    <label class="check">
      <input type="hidden" name={`was-${name}`} value="1" />
      <input type="checkbox" name={name} value="1" checked={on} />
      <span>{label}</span>
    </label>
  )
}
