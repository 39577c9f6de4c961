import type { Adventure } from '../domain/adventure.ts'
import type { StoryCard } from '../domain/story-card.ts'
import { CardEditors } from './cards.tsx'
import { Field } from './field.tsx'
import type { Markup } from './jsx/jsx-runtime.ts'

/** The texts behind one story, and its cards. */
export function Plot({ adventure, cards }: { adventure: Adventure; cards: StoryCard[] }): Markup {
  return (
    <section class="plot" aria-label="Plot and cards">
      <form method="post" action={`/adventures/${adventure.id}`}>
        <Field label="Title" name="title" value={adventure.title} />
        <Field
          label="Plot essentials"
          name="memory"
          value={adventure.memory}
          rows={5}
          hint="What is always true. The model always sees it."
        />
        <Field
          label="Author's note"
          name="authors_note"
          value={adventure.authors_note}
          rows={2}
          hint="Style and mood, close to the newest passage."
        />
        <Field label="AI instructions" name="ai_instructions" value={adventure.ai_instructions} rows={3} />
        <Field
          label="The story so far"
          name="story_summary"
          value={adventure.story_summary}
          rows={4}
          hint="A summary for the model, when the story is long."
        />
        <button type="submit" class="main">
          Save the plot
        </button>{' '}
        <a href={`/adventures/${adventure.id}`}>Close</a>
      </form>
      <h2>Story cards</h2>
      <CardEditors cards={cards} owner={{ adventure_id: adventure.id }} />
      <details>
        <summary>Delete this story</summary>
        <form class="row" method="post" action={`/adventures/${adventure.id}/delete`}>
          <p>All its passages and attempts go with it.</p>
          <button type="submit" class="danger">
            Delete “{adventure.title}”
          </button>
        </form>
      </details>
    </section>
  )
}
