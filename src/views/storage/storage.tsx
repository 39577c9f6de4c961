import type { BackupFile } from '../../app/storage/restore.ts'
import type { StorageReport } from '../../app/storage/storage.ts'
import { KEPT_PROMPTS } from '../../domain/limits.ts'
import { sumOf } from '../../lib/numbers.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page, WayBack } from '../layout.tsx'
import { countOf, formatSize } from '../ui/format-number.ts'
import { Time } from '../ui/time.tsx'
import { storageUrl } from '../urls.ts'

export function StoragePage({ report, notice, did }: StorageProps): Markup {
  return (
    <Page title="Storage and backups" place="/settings" did={did}>
      <div class="shelf storage">
        <WayBack href="/settings#storage">Back to Settings</WayBack>
        <h1>Storage and backups</h1>
        <Notice>{notice}</Notice>
        {report.restored ? (
          <p class="practice" role="status">
            {report.restored}
          </p>
        ) : null}
        <h2>Your library</h2>
        <SizeList report={report} />
        <p class="about">
          Everything is in one file: <code translate="no">{report.path}</code>
        </p>
        <details>
          <summary>Delete stored prompts</summary>
          <form class="row" method="post" action="/storage/forget-prompts">
            <p>
              Deletes what the model was sent, except for the newest {String(KEPT_PROMPTS)} passages of each
              story. The insights of older passages then show no prompt. Stories, cards and memories stay.
            </p>
            <button type="submit" class="danger">
              Delete stored prompts
            </button>
          </form>
        </details>
        <h2>Backups</h2>
        <p>
          Inglenook keeps a backup of each of the last five days on which you played. Copy one to another disk
          now and then.
        </p>
        <p class="row">
          <a class="button main" href="/api/backup">
            Download a backup
          </a>
        </p>
        <Backups report={report} />
        <h3>Restore a backup from another computer</h3>
        <form method="post" action="/import" enctype="multipart/form-data">
          <p class="row">
            <input type="file" name="file" accept=".db" aria-label="Backup to restore" required />
            <button type="submit">Preview</button>
          </p>
        </form>
      </div>
    </Page>
  )
}

interface StorageProps {
  report: StorageReport
  notice?: Child
  did?: string
}

function SizeList({ report: { size, backups } }: { report: StorageReport }): Markup {
  const { parts } = size
  const inFile: [what: string, bytes: number, about: string][] = parts
    ? [
        [
          'Stories, cards and pictures',
          Math.max(0, size.file - sumOf([parts.searchIndex, parts.prompts, parts.unused])),
          '',
        ],
        ['Search index', parts.searchIndex, 'Finds words in your stories.'],
        ['Stored prompts', parts.prompts, 'What the model was sent, shown in the insights of a turn.'],
        ['Unused', parts.unused, 'Left by deleted text. New text goes there first.'],
      ]
    : []
  return (
    <dl class="sizes">
      <Size what="Library file" bytes={size.file} />
      {inFile.map(([what, bytes, about]) => (
        <Size what={what} bytes={bytes} about={about} isPart />
      ))}
      <Size what={countOf(backups.length, 'backup')} bytes={size.backups} />
    </dl>
  )
}

interface SizeProps {
  what: string
  bytes: number
  about?: string
  isPart?: boolean
}

function Size({ what, bytes, about, isPart = false }: SizeProps): Markup {
  return (
    <div class={isPart ? 'part' : undefined}>
      <dt>
        {what}
        {about ? <small>{about}</small> : null}
      </dt>
      <dd>{formatSize(bytes)}</dd>
    </div>
  )
}

function Backups({ report: { backups } }: { report: StorageReport }): Markup {
  if (backups.length === 0)
    return <p class="lead">No backups yet. The first is made after you have played.</p>
  return (
    <ul class="backups">
      {backups.map((backup) => (
        <li>
          <a href={storageUrl(backup.name)}>
            <Time at={backup.at} to="minute" />
          </a>
          <span class="about">
            {KINDS[backup.kind]} · {formatSize(backup.bytes)}
          </span>
        </li>
      ))}
    </ul>
  )
}

export const KINDS: Record<BackupFile['kind'], string> = {
  daily: 'Daily backup',
  requested: 'Made by you',
  uploaded: 'From another computer',
  'before a restore': 'The library before a restore',
  'before an update': 'The library before an update',
}
