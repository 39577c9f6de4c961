import type { ImportPlan, Receipt } from '../../domain/portable/portable.ts'
import type { ScenarioListItem } from '../../domain/scenario.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page } from '../layout.tsx'

/** Where a file is brought. A script also takes one that is dropped anywhere on the page. */
export function BringForm({ pasted }: { pasted?: string | undefined }): Markup {
  return (
    <>
      <h2>Bring a file</h2>
      <FileForm pasted={pasted} />
      <DropHint />
    </>
  )
}

/** The same on the page of a scenario, whose cards those of a file may become. */
export function BringToScenario({
  scenarioId,
  pasted = '',
}: {
  scenarioId: number
  pasted?: string | undefined
}): Markup {
  return (
    <>
      <details open={pasted !== ''}>
        <summary>Bring story cards, or any other file</summary>
        <FileForm scenarioId={scenarioId} pasted={pasted} />
      </details>
      <DropHint />
    </>
  )
}

/** Lies over the page while a file is dragged over it. */
function DropHint(): Markup {
  return (
    <div id="drop-hint" hidden>
      <p>Let go to see what is in it. One file at a time; nothing is kept yet.</p>
    </div>
  )
}

/** `pasted` is a text that was not taken. */
function FileForm({ scenarioId, pasted = '' }: { scenarioId?: number; pasted?: string | undefined }): Markup {
  return (
    <form id="bring" class="bring" method="post" action="/import" enctype="multipart/form-data">
      {scenarioId === undefined ? null : <input type="hidden" name="owner" value={String(scenarioId)} />}
      <p class="about">
        Stories, scenarios, character cards, lorebooks and chats: of Inglenook, AI Dungeon, SillyTavern,
        Kobold and others. You see what is in it before anything is kept.
      </p>
      <p class="row">
        <input type="file" name="file" aria-label="A file to bring" />
        <button type="submit">Look into it</button>
      </p>
      <details open={pasted !== ''}>
        <summary>Or paste its text</summary>
        <label class="field">
          <span>The text of a file</span>
          <textarea name="text" rows="4">{`\n${pasted}`}</textarea>
        </label>
      </details>
    </form>
  )
}

export interface BroughtProps {
  plan: ImportPlan
  /** By which the file is asked for again. */
  held: string
  name: string
  /** Whose cards may become. */
  scenarios: readonly ScenarioListItem[]
  /** The scenario on whose page the file was brought; 0 for none. */
  owner: number
  notice?: Child
}

/** What a file would bring, with a receipt of everything in it, before anything is kept. */
export function BroughtPage({ plan, held, name, scenarios, owner, notice }: BroughtProps): Markup {
  const { story_cards } = plan
  return (
    <Page title="Bring a file" place="/">
      <div class="shelf">
        <h1>What is in {name === '' ? 'this file' : `“${name}”`}</h1>
        <Notice>{notice}</Notice>
        <p class="lead">It is {KINDS[plan.kind]}. Nothing of it is kept yet.</p>
        <form method="post" action="/import/apply">
          <input type="hidden" name="held" value={held} />
          <Choices
            legend="Stories"
            name="adventures"
            items={plan.adventures.map(({ title, actions }) => `${title}, ${passages(actions.length)}`)}
          />
          <Choices
            legend="Scenarios"
            name="scenarios"
            items={plan.scenarios.map(
              ({ title, story_cards: cards }) => `${title}, ${cardsIn(cards.length)}`,
            )}
          />
          {story_cards.length > 0 ? (
            <label class="field">
              <span>{cardsIn(story_cards.length)}: whose are they</span>
              <select name="owner">
                <option value="">A new scenario’s</option>
                {scenarios.map(({ id, title }) => (
                  <option value={String(id)} selected={id === owner}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
          ) : null}
          <p class="row">
            <button type="submit" class="main">
              Bring it in
            </button>
            <a href="/">Leave it</a>
          </p>
        </form>
        <ReceiptOf receipt={plan.receipt} />
      </div>
    </Page>
  )
}

function Choices({
  legend,
  name,
  items,
}: {
  legend: string
  name: string
  items: readonly string[]
}): Markup | null {
  if (items.length === 0) return null
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      {items.map((item, place) => (
        <div>
          <label class="check">
            <input type="checkbox" name={`${name}.${place}`} value="1" checked />
            {item}
          </label>
        </div>
      ))}
    </fieldset>
  )
}

const BUCKETS: [name: keyof Receipt, words: string][] = [
  ['refused', 'Refused'],
  ['dropped', 'Left out'],
  ['changed', 'Changed on the way'],
  ['taken', 'Taken as it is'],
]

/** Everything that the file holds, each in one list. */
function ReceiptOf({ receipt }: { receipt: Receipt }): Markup {
  return (
    <section aria-labelledby="receipt">
      <h2 id="receipt">The receipt</h2>
      {BUCKETS.filter(([name]) => receipt[name].length > 0).map(([name, words]) => (
        <details open={name !== 'taken'}>
          <summary>
            {words} ({receipt[name].length})
          </summary>
          <dl class="receipt">
            {receipt[name].map(({ path, note }) => (
              <>
                <dt>
                  <code>{path}</code>
                </dt>
                <dd>{note}</dd>
              </>
            ))}
          </dl>
        </details>
      ))}
    </section>
  )
}

const KINDS: Record<ImportPlan['kind'], string> = {
  'inglenook-scenario': 'a scenario of Inglenook',
  'inglenook-adventure': 'a story of Inglenook',
  'ai-dnd-scenario-v1': 'a scenario of the earlier release',
  'ai-dnd-adventure-v1': 'a story of the earlier release',
  'ai-dnd-adventure-v2': 'a story of the earlier release, with its branches',
  'ai-dungeon-cards': 'a list of story cards, as AI Dungeon writes it',
  'character-card': 'a character card',
  'world-info': 'a lorebook of SillyTavern',
  'sillytavern-chat': 'a chat of SillyTavern',
  'kobold-lite': 'a story of KoboldAI Lite',
}

function passages(count: number): string {
  return count === 1 ? '1 passage' : `${count} passages`
}

function cardsIn(count: number): string {
  return count === 1 ? '1 story card' : `${count} story cards`
}
