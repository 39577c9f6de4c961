import type { Markup } from '../jsx/jsx-runtime.ts'

/** The id of the form that every checkbox of a story belongs to. */
export const SELECTED = 'selected'

/** Shown while a story is checked, by the style sheet alone. */
export function SelectedForm({ isArchive }: { isArchive: boolean }): Markup {
  return (
    <form id={SELECTED} class="row" method="post" action="/adventures/selected" aria-label="Selected stories">
      <span class="about">Selected stories:</span>
      {isArchive ? null : (
        <button type="submit" name="do" value="pinned">
          Pin
        </button>
      )}
      {isArchive ? null : (
        <button type="submit" name="do" value="open">
          Unpin
        </button>
      )}
      <button type="submit" name="do" value={isArchive ? 'open' : 'archived'}>
        {isArchive ? 'Unarchive' : 'Archive'}
      </button>
      <button type="submit" class="danger" name="do" value="delete">
        Delete…
      </button>
      <button type="reset" class="quiet">
        Clear selection
      </button>
    </form>
  )
}
