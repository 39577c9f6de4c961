import type { Suggestion } from '../../domain/model/suggestions.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Icon } from '../ui/icon.tsx'
import { storyUrl } from '../urls.ts'

export interface SuggestionsProps {
  adventureId: number
  suggestions: readonly Suggestion[]
  /** The page requests them by itself, a while after it shows the end of the story. */
  automatic: boolean
}

/** A press puts one into the text box, to be changed and sent. */
export function Suggestions({ adventureId, suggestions, automatic }: SuggestionsProps): Markup {
  const asks = automatic && suggestions.length === 0
  return (
    <section
      id="suggestions"
      aria-label="Suggestions"
      {...(asks ? asking(adventureId, '?automatic=1') : {})}
      hx-trigger={asks ? 'load delay:4s' : undefined}
    >
      {suggestions.map(({ manner, text }) => (
        <button
          type="submit"
          name="suggestion"
          value={text}
          formaction={`${storyUrl(adventureId)}/suggestions`}
          title={TITLES[manner]}
          dir="auto"
          translate="no"
        >
          {text}
        </button>
      ))}
    </section>
  )
}

const TITLES: Record<Suggestion['manner'], string> = {
  careful: 'Careful: puts this into the text box',
  bold: 'Bold: puts this into the text box',
  unexpected: 'Unexpected: puts this into the text box',
}

/** Stands in the text box as long as that is empty. */
export function SuggestButton({ adventureId }: { adventureId: number }): Markup {
  return (
    <button
      type="submit"
      class="suggest quiet"
      name="suggest"
      value="1"
      formaction={`${storyUrl(adventureId)}/suggestions`}
      title="Suggest what to do next"
      {...asking(adventureId)}
    >
      <Icon sign="suggest" />
      <span class="unseen">Suggest</span>
    </button>
  )
}

function asking(adventureId: number, query = ''): Record<string, string> {
  return {
    'hx-post': `${storyUrl(adventureId)}/suggestions${query}`,
    'hx-swap': 'none',
  }
}
