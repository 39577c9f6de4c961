import type { BackupFile } from '../../app/storage/restore.ts'
import type { LibraryContents } from '../../db/library/copies/contents.ts'
import { commandLine } from '../../lib/project.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page, WayBack } from '../layout.tsx'
import { countOf, formatNumber, formatSize } from '../ui/format-number.ts'
import { Time, TimeAgo } from '../ui/time.tsx'
import { storageUrl } from '../urls.ts'
import { KINDS } from './storage.tsx'

interface BackupProps {
  backup: BackupFile
  /** The contents, or the reason why the backup cannot be restored. */
  contents: LibraryContents | string
  storiesNow: number
  canRestore: boolean
  now: Date
  notice?: Child
}

export function BackupPage({ backup, contents, storiesNow, canRestore, now, notice }: BackupProps): Markup {
  return (
    <Page title="Backup" place="/settings">
      <div class="shelf storage">
        <WayBack href={storageUrl()}>Storage and backups</WayBack>
        <h1>
          Backup of <Time at={backup.at} to="minute" />
        </h1>
        <p class="about">
          {KINDS[backup.kind]} · {formatSize(backup.bytes)} · <code translate="no">{backup.name}</code>
        </p>
        <Notice>{notice ?? (typeof contents === 'string' ? contents : null)}</Notice>
        {typeof contents === 'string' ? null : (
          <>
            <Restore backup={backup} contents={contents} storiesNow={storiesNow} canRestore={canRestore} />
            <Contents contents={contents} now={now} />
          </>
        )}
        <details>
          <summary>Delete this backup</summary>
          <form class="row" method="post" action={`${storageUrl(backup.name)}/delete`}>
            <p>Your library and the other backups stay.</p>
            <button type="submit" class="danger">
              Delete backup
            </button>
          </form>
        </details>
      </div>
    </Page>
  )
}

function Restore({
  backup,
  contents,
  storiesNow,
  canRestore,
}: Pick<BackupProps, 'backup' | 'storiesNow' | 'canRestore'> & { contents: LibraryContents }): Markup {
  return (
    <section class="receipt">
      <p>
        It contains {countOf(contents.count, 'story', 'stories')} and{' '}
        {countOf(contents.scenarios, 'scenario')}. Your library has {countOf(storiesNow, 'story', 'stories')}{' '}
        now.
      </p>
      {canRestore ? (
        <form method="post" action={`${storageUrl(backup.name)}/restore`}>
          <p>
            Restoring replaces your library with this backup. Your library as it is now is copied first, so
            that you can go back. Inglenook restarts, which ends a turn that is running.
          </p>
          <button type="submit" class="main">
            Restore this backup
          </button>
        </form>
      ) : (
        <p>
          To restore it, stop Inglenook and run{' '}
          <code translate="no">{commandLine(`restore ${backup.name}`)}</code>.
        </p>
      )}
    </section>
  )
}

function Contents({ contents, now }: { contents: LibraryContents; now: Date }): Markup | null {
  const { stories, count } = contents
  if (stories.length === 0) return null
  return (
    <>
      <h2>Stories in this backup</h2>
      <ul class="backups">
        {stories.map(({ title, passages, played }) => (
          <li>
            <span class="title" dir="auto" translate="no">
              {title}
            </span>
            <span class="about">
              {countOf(passages, 'passage')}
              {played ? (
                <>
                  {' '}
                  · last played <TimeAgo at={played} now={now} />
                </>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
      {count > stories.length ? <p class="about">and {formatNumber(count - stories.length)} more</p> : null}
    </>
  )
}

/** The browser asks for the storage page by itself. */
export function RestoringPage(): Markup {
  return (
    <Page title="Restoring" place="">
      <div class="shelf">
        <h1>Restoring your library</h1>
        <p class="lead" role="status">
          Inglenook restarts with the backup. This page continues by itself in a moment.
        </p>
        <p>
          <a class="button" href={storageUrl()}>
            Continue
          </a>
        </p>
      </div>
    </Page>
  )
}

/** The page after what was open was saved as a copy. */
export function SavedCopyPage({ path }: { path: string }): Markup {
  return (
    <Page title="Copy saved" place="/settings">
      <div class="shelf storage">
        <h1>Copy saved</h1>
        <p class="lead" role="status">
          Everything that was open is in <code translate="no">{path}</code>.
        </p>
        <p>
          To go on with it, quit Inglenook, move this file to where your library was, and start Inglenook
          again.
        </p>
      </div>
    </Page>
  )
}
