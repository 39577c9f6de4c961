import { libraryProblem } from '../../http/current-reader.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { storageUrl } from '../urls.ts'

/** An alert above every page while nothing is saved. */
export function LibraryProblemNote(): Markup | null {
  const problem = libraryProblem()
  if (!problem) return null
  return (
    <div class="clash said" role="alert">
      <p>{problem.message}</p>
      {problem.code === 'library_moved' ? (
        <form method="post" action={storageUrl('save-open')}>
          <button type="submit" class="main">
            Save what is open as a copy
          </button>
        </form>
      ) : null}
      {problem.code === 'library_damaged' ? <a href={storageUrl()}>Storage and backups</a> : null}
    </div>
  )
}
