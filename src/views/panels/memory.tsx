import type { MemoryBank } from '../../app/memory/memories.ts'
import type { Adventure } from '../../domain/adventure.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Memory } from '../../domain/memory.ts'
import { panelForm, regionFrom } from '../form-attributes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Field } from '../ui/field.tsx'
import { passageUrl, storyUrl } from '../urls.ts'
import { CardProposals } from './card-proposals.tsx'
import { Panel } from './panel.tsx'

/** The work between turns that a player can switch off. */
export const MEMORY_SWITCHES = [
  ['memory_bank_enabled', 'Create a memory every 6 passages'],
  ['auto_summarize', 'Update the summary every 15 passages'],
  ['propose_cards', 'Propose story cards every 6 passages'],
] as const

interface MemoryPanelProps {
  adventure: Adventure
  bank: MemoryBank
  practice: boolean
  /** The id of the passage with an index; null if there is none. */
  passageAt: (index: number) => number | null
}

export function MemoryPanel({ adventure, bank, practice, passageAt }: MemoryPanelProps): Markup {
  const action = `${storyUrl(adventure.id)}/memories`
  const active = bank.memories.filter((memory) => !memory.forgotten)
  const forgotten = bank.memories.filter((memory) => memory.forgotten)
  return (
    <Panel adventureId={adventure.id} name="memory" title="Memory" class="plot">
      <form {...panelForm(`${action}/switches`)} hx-trigger="change" class="row">
        {MEMORY_SWITCHES.map(([name, label]) => (
          <Switch name={name} on={adventure[name]} label={label} />
        ))}
        <noscript>
          <button type="submit">Save</button>
        </noscript>
      </form>
      {practice ? (
        <p class="about">The practice narrator does not create memories. Connect a model to use them.</p>
      ) : null}
      <MemoryStatus adventureId={adventure.id} bank={bank} />
      <div id="memories">
        {bank.proposals.length > 0 ? (
          <CardProposals adventureId={adventure.id} proposals={bank.proposals} />
        ) : null}
        {active.length === 0 ? <NoMemories writes={adventure.memory_bank_enabled && !practice} /> : null}
        <ul class="memories">
          {active.map((memory) => (
            <MemoryItem action={action} memory={memory} passageAt={passageAt} />
          ))}
        </ul>
      </div>
      <details id="add-memory">
        <summary>Add a memory</summary>
        <form {...panelForm(action)}>
          <Field label="What to remember" name="text" value="" rows={2} limit={LIMITS.memory} />
          <button type="submit">Add memory</button>
        </form>
      </details>
      {forgotten.length > 0 ? (
        <details>
          <summary>Forgotten ({forgotten.length})</summary>
          <ul class="memories">
            {forgotten.map((memory) => (
              <MemoryItem action={action} memory={memory} passageAt={passageAt} />
            ))}
          </ul>
        </details>
      ) : null}
    </Panel>
  )
}

function NoMemories({ writes }: { writes: boolean }): Markup {
  return (
    <p class="about">
      No memories yet.{' '}
      {writes
        ? 'Once the story has about a dozen passages, the first one is written while you read.'
        : 'You can add your own.'}
    </p>
  )
}

/** Polls while there is work. */
function MemoryStatus({ adventureId, bank }: { adventureId: number; bank: MemoryBank }): Markup {
  const words =
    bank.busy !== ''
      ? `${bank.busy}…`
      : bank.failure
        ? `The last attempt failed: ${bank.failure.detail} ${bank.failure.rests > 0 ? `The next one is in ${bank.failure.rests} turns.` : ''}`
        : ''
  return (
    <div id="memory-status">
      <p
        role="status"
        class="about"
        {...(bank.busy === ''
          ? {}
          : {
              ...regionFrom(storyUrl(adventureId, { panel: 'memory' }), '#memory-status'),
              'hx-trigger': 'every 2s',
              'hx-select-oob': '#memories',
            })}
      >
        {words}
      </p>
      {bank.failure ? (
        <form {...panelForm(`${storyUrl(adventureId)}/memories/again`)}>
          <button type="submit">Try again now</button>
        </form>
      ) : null}
    </div>
  )
}

function MemoryItem({
  action,
  memory,
  passageAt,
}: { action: string; memory: Memory } & Pick<MemoryPanelProps, 'passageAt'>): Markup {
  const { id, text, no_longer, pinned, forgotten, source_start, use_count, stale } = memory
  return (
    <li class={forgotten ? 'off' : undefined}>
      <p dir="auto">{text}</p>
      {no_longer === '' ? null : <p dir="auto">No longer true: {no_longer}</p>}
      <p class="about">
        <MemorySource memory={memory} passageAt={passageAt} />
        {use_count > 0 ? `, used ${use_count === 1 ? 'once' : `${use_count} times`}` : null}
        {pinned ? ', pinned' : null}
        {stale ? ', out of date: it will be updated' : null}
      </p>
      <details>
        <summary>Edit</summary>
        <form {...panelForm(`${action}/${id}`)}>
          <Field label="Text" name="text" value={text} rows={2} limit={LIMITS.memory} />
          {source_start === null ? null : (
            <Field
              label="What is no longer true"
              name="no_longer"
              value={no_longer}
              rows={2}
              limit={LIMITS.memory}
            />
          )}
          <p class="row">
            <button type="submit">Save</button>
            <button type="submit" name="do" value={pinned ? 'unpin' : 'pin'}>
              {pinned ? 'Unpin' : 'Pin (always use)'}
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

function MemorySource({
  memory: { adventure_id, source_start, source_end },
  passageAt,
}: { memory: Memory } & Pick<MemoryPanelProps, 'passageAt'>): Markup {
  if (source_start === null) return <>Written by you</>
  const words =
    source_end === source_start
      ? `About passage ${source_start}`
      : `About passages ${source_start} to ${source_end}`
  const id = passageAt(source_start)
  if (id === null) return <>{words}</>
  return <a href={passageUrl({ id, adventure_id })}>{words}</a>
}

function Switch({ name, on, label }: { name: string; on: boolean; label: string }): Markup {
  return (
    <label class="check">
      <input type="checkbox" name={name} value="1" checked={on} />
      <span>{label}</span>
    </label>
  )
}
