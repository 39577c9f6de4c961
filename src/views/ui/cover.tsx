import { COVER_HEIGHT, COVER_WIDTH, coverArt } from '../../domain/default-cover.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'

interface CoverProps {
  title: string
  icon: string
  image_url: string
}

/** The cover of a scenario or of its stories: its picture, else a drawing with the title and the emoji. */
export function Cover({ title, icon, image_url }: CoverProps): Markup {
  if (image_url) return <img class="cover" src={image_url} alt="" loading="lazy" />
  const { from, to, lines } = coverArt(title)
  const id = `g${from.slice(1)}`
  return (
    <span class="cover" aria-hidden="true">
      <svg
        viewBox={`0 0 ${COVER_WIDTH} ${COVER_HEIGHT}`}
        preserveAspectRatio="xMidYMid slice"
        aria-hidden="true"
        focusable="false"
      >
        <defs>
          <linearGradient id={id} x1="0" y1="0" x2="1" y2="1">
            <stop offset="0" stop-color={from} />
            <stop offset="1" stop-color={to} />
          </linearGradient>
        </defs>
        <rect width={String(COVER_WIDTH)} height={String(COVER_HEIGHT)} fill={`url(#${id})`} />
        <path d={lines} fill="none" stroke="#fff" stroke-opacity="0.2" />
      </svg>
      {/* An attribute, because the title itself stands beside the cover. */}
      <span class="cover-title" data-title={title} dir="auto" />
      {icon === '' ? null : <span class="cover-icon">{icon}</span>}
    </span>
  )
}
