import { type ActionView, isPlayerLine } from '../../../domain/action.ts'
import type { Markup } from '../../jsx/jsx-runtime.ts'
import { Icon } from '../../ui/icon.tsx'

export function PassageHeading({
  action,
  isBookmarked,
}: {
  action: Pick<ActionView, 'id' | 'type' | 'index'>
  isBookmarked: boolean
}): Markup {
  const id = `heading-${action.id}`
  const heading = headingOf(action)
  if (!isBookmarked)
    return (
      <h2 id={id} class="unseen">
        {heading}
      </h2>
    )
  return (
    <h2 id={id} class="bookmarked" title="Bookmarked">
      <Icon sign="bookmark" />
      <span class="unseen">{heading}, bookmarked</span>
    </h2>
  )
}

export function headingOf({ type, index }: Pick<ActionView, 'type' | 'index'>): string {
  if (type === 'start') return 'Opening'
  return isPlayerLine(type) ? `You, passage ${index}` : `Narrator, passage ${index}`
}
