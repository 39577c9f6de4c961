import type { ImportOutcome } from '../../app/files/import-choice.ts'
import type { JobProgress } from '../../app/worker/worker-job.ts'
import { MAX_BUNDLE_BYTES, MAX_IMPORT_BYTES, MAX_IMPORT_FILES } from '../../domain/limits.ts'
import type { ImportPreview } from '../../domain/portable/import-preview.ts'
import { countLeft, type Receipt, sectionsOf } from '../../domain/portable/receipt.ts'
import { regionFrom } from '../form-attributes.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page } from '../layout.tsx'
import { formatNumber, percentOf } from '../ui/format-number.ts'
import { Choices, countsOfScenario, countsOfStory, listed, some } from './choices.tsx'
import { LooseCards, type LooseCardsProps } from './loose-cards.tsx'
import { Files, kindInWords } from './summary.tsx'

/** With script, a file can also be dropped anywhere on the page. */
export function ImportForm({ pasted }: { pasted?: string | undefined }): Markup {
  return (
    <>
      <h2>Import</h2>
      <FileForm pasted={pasted} />
      <DropHint />
    </>
  )
}

export function ImportIntoScenario({
  scenarioId,
  pasted = '',
}: {
  scenarioId: number
  pasted?: string | undefined
}): Markup {
  return (
    <>
      <details open={pasted !== ''}>
        <summary>Import story cards or another file</summary>
        <FileForm scenarioId={scenarioId} pasted={pasted} />
      </details>
      <DropHint />
    </>
  )
}

function DropHint(): Markup {
  return (
    <div id="drop-hint" hidden>
      <p>Drop files or folders to preview them. Nothing is imported yet.</p>
    </div>
  )
}

/** `pasted` is text that could not be imported. */
function FileForm({ scenarioId, pasted = '' }: { scenarioId?: number; pasted?: string | undefined }): Markup {
  return (
    <form
      id="bring"
      class="bring"
      method="post"
      action="/import"
      enctype="multipart/form-data"
      data-max-files={String(MAX_IMPORT_FILES)}
      data-max-bytes={String(MAX_BUNDLE_BYTES)}
      data-too-many={`These are more than ${formatNumber(MAX_IMPORT_FILES)} files. Import them in parts.`}
      data-too-large={`These files are too large together: the limit is ${megabytes(MAX_BUNDLE_BYTES)}.`}
    >
      {scenarioId === undefined ? null : <input type="hidden" name="owner" value={String(scenarioId)} />}
      <p class="about">
        Stories, scenarios, character cards, lorebooks and chats from Inglenook, AI Dungeon, SillyTavern,
        KoboldAI and others, texts, books and documents, and zip archives of any of these. You see a preview
        before anything is imported. Up to {formatNumber(MAX_IMPORT_FILES)} files at once, each up to{' '}
        {megabytes(MAX_IMPORT_BYTES)}; archives, backups and Inglenook’s own stories may be larger.
      </p>
      <p class="row">
        <input type="file" name="file" multiple aria-label="Files to import" />
        <button type="submit">Preview</button>
      </p>
      <details>
        <summary>Import a folder instead</summary>
        <p class="row">
          <input type="file" name="folder" multiple webkitdirectory aria-label="Folder to import" />
          <button type="submit">Preview</button>
        </p>
      </details>
      <details open={pasted !== ''}>
        <summary>Paste text instead</summary>
        <label class="field">
          <span>Contents of a file</span>
          <textarea name="text" dir="auto" translate="no" rows="4">{`\n${pasted}`}</textarea>
        </label>
      </details>
    </form>
  )
}

function megabytes(bytes: number): string {
  return `${formatNumber(bytes / 1024 / 1024)} MB`
}

export interface ImportPreviewProps extends Omit<LooseCardsProps, 'cards'> {
  found: ImportPreview
  name: string
  notice?: Child
}

export function ImportPreviewPage({
  found,
  uploadId,
  name,
  scenarios,
  owner,
  choice,
  notice,
}: ImportPreviewProps): Markup {
  const cards = found.story_cards
  const file = found.kind === 'files' ? undefined : found.files[0]
  return (
    <Page title="Import" place="/">
      <div class="shelf">
        <h1>Import {nameOf(found, name)}</h1>
        <Notice>{notice}</Notice>
        {file ? null : <Files files={found.files} />}
        <p class="lead">{file ? `This is ${kindInWords(file)}. ` : null}Nothing has been imported yet.</p>
        <form method="post" action="/import/apply">
          <input type="hidden" name="held" value={uploadId} />
          <Choices
            legend="Stories"
            name="adventures"
            chosen={choice?.adventures}
            items={found.adventures.map((story) => ({ ...story, counts: countsOfStory(story) }))}
          />
          <Choices
            legend="Scenarios"
            name="scenarios"
            chosen={choice?.scenarios}
            items={found.scenarios.map((scenario) => ({ ...scenario, counts: countsOfScenario(scenario) }))}
          />
          <LooseCards {...{ cards, uploadId, scenarios, owner, choice }} />
          <p class="row">
            <button type="submit" class="main">
              Import
            </button>
            <a href="/">Cancel</a>
            <Losses found={found} />
          </p>
          <ReceiptSections receipt={found.receipt} />
        </form>
      </div>
    </Page>
  )
}

function Losses({ found: { files, receipt } }: { found: ImportPreview }): Markup | null {
  const refused = files.filter(({ refusal }) => refusal !== null).length
  const lost = listed([some(refused, 'file'), some(countLeft(receipt), 'detail')])
  return lost === '' ? null : <span>Left out: {lost}.</span>
}

function nameOf({ kind }: ImportPreview, name: string): string {
  if (name === '') return 'pasted text'
  return kind === 'files' && !name.includes('.') ? name : `“${name}”`
}

/** The page asks every second how far the import is. */
export function ImportProgressPage({ address, ...progress }: JobProgress & { address: string }): Markup {
  const percent = percentOf(progress)
  return (
    <Page title="Importing" place="/">
      <div class="shelf" id="importing" {...regionFrom(address, '#importing')} hx-trigger="every 1s">
        <h1>Importing…</h1>
        <p class="lead" role="status">
          {progress.total === 0 ? 'Reading the file.' : `${percent}% imported.`}
        </p>
        <progress max="100" value={String(percent)} aria-label="Import" />
        <p>You can keep playing meanwhile. Everything appears in your library when the import is complete.</p>
        <p class="row">
          <a href={address}>Refresh</a>
        </p>
      </div>
    </Page>
  )
}

export function ImportResultPage({ preview, imported }: ImportOutcome): Markup {
  const [stories, scenarios] = [imported.adventure_ids.length, imported.scenario_ids.length]
  const left = preview.adventures.length + preview.scenarios.length - stories - scenarios
  return (
    <Page title="Imported" place="/">
      <div class="shelf">
        <h1>Imported</h1>
        <p class="lead" role="status">
          New in your library: {listed([some(stories, 'story', 'stories'), some(scenarios, 'scenario')])}.
          {left === 0 ? null : ` What was not selected was left out: ${formatNumber(left)}.`}
        </p>
        <Files files={preview.files.filter(({ refusal }) => refusal !== null)} />
        <p class="row">
          <a href="/">Go to your library</a>
        </p>
      </div>
    </Page>
  )
}

function ReceiptSections({ receipt }: { receipt: Receipt }): Markup {
  return (
    <>
      {sectionsOf(receipt).map(({ section, title, lines }) => (
        <details class="receipt" open={section !== 'came'}>
          <summary>{title}</summary>
          <ul>
            {lines.map(({ words, keys }) => (
              <li>
                <details>
                  <summary>{words}</summary>
                  <code>{keys}</code>
                </details>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </>
  )
}
