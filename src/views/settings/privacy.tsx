import type { PrivacyReport } from '../../domain/model/privacy-report.ts'
import type { SettingsView } from '../../domain/settings.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { ScrollTable } from '../ui/scroll-table.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'

/** The resolved addresses, and every request since the service started. */
export function PrivacySection({
  settings,
  privacy: { checked, sent, embedding_server, embedding_checked },
}: {
  settings: SettingsView
  privacy: PrivacyReport
}): Markup {
  const classes = [...new Set(sent.map(({ address, class: kind }) => `${address} is ${kind}`))]
  return (
    <section aria-labelledby="privacy">
      <h2 id="privacy">Privacy: where data is sent</h2>
      <p class="about">
        Stories are sent only to the model server above
        {embedding_server === ''
          ? ''
          : ', and memories, your lines and the ends of passages also to the embedding server'}
        . An address is looked up and checked before every request, and must belong to this machine or your
        own network.
      </p>
      {settings.practice ? (
        <p>The practice narrator is a part of Inglenook and sends nothing.</p>
      ) : settings.model_file !== '' ? (
        <p>Your model file runs on this machine.</p>
      ) : (
        <LastCheck host={settings.endpoint_url} checked={checked} />
      )}
      {embedding_server === '' ? null : (
        <LastCheck of="Embedding server: " host={embedding_server} checked={embedding_checked} />
      )}
      <details>
        <summary>Requests since Inglenook started ({sent.length === 0 ? 'none' : sent.length})</summary>
        <p class="about">{classes.join('; ')}</p>
        <ScrollTable of="Requests">
          <Table
            heads={['To', 'Path', 'Count', 'Last sent']}
            rows={sent.map(({ host: to, address, path, times, last }) => [
              to.includes(address) ? to : `${to} (${address})`,
              path,
              times,
              <Time at={last} to="second" />,
            ])}
          />
        </ScrollTable>
      </details>
    </section>
  )
}

interface LastCheckProps {
  of?: string
  host: string
  checked: PrivacyReport['checked']
}

function LastCheck({ of = '', host, checked }: LastCheckProps): Markup {
  if (checked === null)
    return (
      <p>
        {of}
        {host} has not been looked up since Inglenook started. Test the connection to see its addresses.
      </p>
    )
  return (
    <ul>
      {checked.addresses.map(({ address, class: kind }) => (
        <li>
          {of}
          <code>{address}</code>: {kind}, checked <Time at={checked.at} to="second" />
        </li>
      ))}
    </ul>
  )
}
