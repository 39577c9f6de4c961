import { coverArt } from '../../domain/default-cover.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'

/** The cover of a scenario or of its stories: picture, else emoji, else initials on a gradient. */
export function Cover({
  title,
  icon,
  image_url,
}: {
  title: string
  icon: string
  image_url: string
}): Markup {
  if (image_url) return <img class="cover" src={image_url} alt="" loading="lazy" />
  const { from, to, sign } = coverArt(title, icon)
  const id = `g${from.slice(1)}`
  return (
    <svg
      class="cover"
      viewBox="0 0 160 100"
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
      <rect x="-2" y="-2" width="164" height="104" fill={`url(#${id})`} />
      <text x="80" y="52" fill="#fff" font-size="30" text-anchor="middle" dominant-baseline="central">
        {sign}
      </text>
    </svg>
  )
}
