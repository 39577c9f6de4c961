import { COVER_HEIGHT, COVER_WIDTH, coverArt, titleSize } from '../../domain/default-cover.ts'
import { titleWithoutBranch } from '../../domain/family/branch.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Icon } from './icon.tsx'

interface CoverProps {
  title: string
  icon: string
  image_url: string
  branch_name?: string
}

/**
 * The cover of a scenario or of its stories: its picture, else a drawing with the title and the emoji. That of a branch is its
 * story's, with a sign.
 */
export function Cover({ icon, image_url, branch_name = '', ...named }: CoverProps): Markup {
  if (image_url) return <img class="cover" src={image_url} alt="" loading="lazy" />
  const title = titleWithoutBranch({ ...named, branch_name })
  const { from, to, glow, shapes } = coverArt(title)
  const id = `g${from.slice(1)}`
  return (
    <span class="cover" aria-hidden="true">
      <svg
        viewBox={`0 0 ${COVER_WIDTH} ${COVER_HEIGHT}`}
        preserveAspectRatio="xMidYMax slice"
        aria-hidden="true"
        focusable="false"
      >
        <defs>
          <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0.1" stop-color={from} />
            <stop offset="0.8" stop-color={to} />
          </linearGradient>
        </defs>
        <rect width={String(COVER_WIDTH)} height={String(COVER_HEIGHT)} fill={`url(#${id})`} />
        {shapes.map(({ look, path }) => (
          <path class={look} d={path} fill={look === 'glow' ? glow : undefined} />
        ))}
      </svg>
      {/* An attribute, because the title itself stands beside the cover. */}
      <span class={`cover-title ${titleSize(title)}`} data-title={title} dir="auto" />
      {branch_name === '' ? null : <Icon sign="branch" />}
      {icon === '' ? null : <span class="cover-icon">{icon}</span>}
    </span>
  )
}
