import type { Whereabouts } from '../../app/whereabouts.ts'
import type { SettingsView } from '../../domain/settings.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Table } from '../ui/table.tsx'
import { Wide } from '../ui/scroll-table.tsx'

/** Where this story can go: the addresses that were resolved, and every request since the start. */
export function WhereaboutsSection({
  settings,
  whereabouts: { checked, sent },
}: {
  settings: SettingsView
  whereabouts: Whereabouts
}): Markup {
  const classes = [...new Set(sent.map(({ address, class: kind }) => `${address} is ${kind}`))]
  const host = settings.practice ? 'The practice narrator' : settings.endpoint_url
  return (
    <section aria-labelledby="whereabouts">
      <h2 id="whereabouts">Where can this story go</h2>
      <p class="about">
        To one place: the address above. It is looked up and judged before every single request, and only an
        address of this machine or your own network is connected to.
      </p>
      {checked === null ? (
        <p>{host} was not looked up since Inglenook started. Test the connection to see its addresses.</p>
      ) : (
        <ul>
          {checked.addresses.map(({ address, class: kind }) => (
            <li>
              <code>{address}</code>: {kind}, checked <Time at={checked.at} />
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>Every request since Inglenook started ({sent.length === 0 ? 'none' : sent.length})</summary>
        <p class="about">{classes.join('; ')}</p>
        <Wide of="Requests">
          <Table
            heads={['To', 'Route', 'Times', 'Last']}
            rows={sent.map(({ host: to, address, path, times, last }) => [
              to.includes(address) ? to : `${to} (${address})`,
              path,
              times,
              <Time at={last} />,
            ])}
          />
        </Wide>
      </details>
    </section>
  )
}

function Time({ at }: { at: Date }): Markup {
  const iso = at.toISOString()
  return <time datetime={iso}>{`${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`}</time>
}
