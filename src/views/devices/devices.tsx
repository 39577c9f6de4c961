import encodeQR from 'qr'
import { type DevicesReport, reportHash } from '../../app/devices/use-devices.ts'
import { regionFrom } from '../form-attributes.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page, WayBack } from '../layout.tsx'
import { Choice, Field } from '../ui/field.tsx'

interface DevicesProps {
  report: DevicesReport
  notice?: Child
}

/** Seconds after which a page without script loads again. */
const REFRESH = 5

export function DevicesPage({ report, notice }: DevicesProps): Markup {
  const { listening } = report
  return (
    <Page title="Read on another device" place="/settings" refresh={listening === null ? undefined : REFRESH}>
      <div class="shelf devices">
        <WayBack href="/settings#devices">Back to Settings</WayBack>
        <h1>Read on another device</h1>
        <Notice>{notice}</Notice>
        {listening === null ? (
          <SwitchOn report={report} />
        ) : (
          <SwitchedOn report={report} address={listening} />
        )}
      </div>
    </Page>
  )
}

function SwitchOn({ report: { addresses, port } }: { report: DevicesReport }): Markup {
  return (
    <>
      <p class="lead">
        Read and play on a phone or tablet on your network while Inglenook runs on this machine. A device sees
        nothing until you allow it here.
      </p>
      <form method="post" action="/devices">
        {addresses.length === 0 ? (
          <p class="about">No network was found. Connect this machine to one, then open this page again.</p>
        ) : (
          <Choice
            label="Network address of this machine"
            name="address"
            options={addresses.map((address) => [address, address])}
          />
        )}
        <details>
          <summary>Another address or port</summary>
          <Field label="Address" name="other" value="" more={{ autocomplete: 'off', spellcheck: 'false' }} />
          <Field
            label="Port"
            name="port"
            type="number"
            value={String(port)}
            more={{ min: '0', max: '65535', required: '' }}
          />
        </details>
        <button type="submit" class="main">
          Switch on
        </button>
      </form>
      <p class="about">
        It is not encrypted: anyone who controls your network could read along or take over the address of an
        allowed device. Use it only on a network that you trust. It is off again when Inglenook restarts.
      </p>
    </>
  )
}

function SwitchedOn({ report, address }: { report: DevicesReport; address: string }): Markup {
  return (
    <>
      <div class="row">
        <QrCode address={address} />
        <div>
          <p>On the other device, point its camera here, or open this address:</p>
          <p class="address" translate="no">
            {address}
          </p>
          <form class="row" method="post" action="/devices/off">
            <button type="submit">Switch off</button>
            <span class="about">Disconnects all devices.</span>
          </form>
        </div>
      </div>
      <DeviceLists report={report} />
    </>
  )
}

/**
 * The devices that wait and those that are allowed. With script the list stays up to date; it is replaced only when it has
 * changed.
 */
function DeviceLists({ report }: { report: DevicesReport }): Markup {
  const { waiting, allowed } = report
  return (
    <div
      id="device-lists"
      {...regionFrom(`/devices?seen=${reportHash(report)}`, '#device-lists')}
      hx-trigger="every 2s"
    >
      <h2>Waiting</h2>
      <div role="status">
        {waiting.length === 0 ? (
          <p class="about">No device is waiting.</p>
        ) : (
          <p>Allow a device only if its screen shows the same code.</p>
        )}
      </div>
      <ul>
        {waiting.map(({ address, code }) => (
          <li>
            <Device address={address} code={code} />
            <form class="row" method="post" action="/devices/allow">
              <input type="hidden" name="address" value={address} />
              <input type="hidden" name="code" value={code} />
              <AllowButton until="today" code={code}>
                Allow for today
              </AllowButton>
              <AllowButton until="switched off" code={code}>
                Allow until switched off
              </AllowButton>
            </form>
          </li>
        ))}
      </ul>
      <h2>Allowed devices</h2>
      {allowed.length === 0 ? <p class="about">No other device can read your stories.</p> : null}
      <ul>
        {allowed.map(({ address, until }) => (
          <li>
            <span>
              <span translate="no">{address}</span>
              <small>{until === null ? 'Until switched off' : 'Until midnight'}</small>
            </span>
            <form class="row" method="post" action="/devices/revoke">
              <input type="hidden" name="address" value={address} />
              <button type="submit">
                Remove<span class="unseen"> {address}</span>
              </button>
            </form>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Device({ address, code }: { address: string; code: string }): Markup {
  return (
    <span translate="no">
      <strong class="code">{code}</strong>
      <small>{address}</small>
    </span>
  )
}

function AllowButton({ until, code, children }: { until: string; code: string; children?: Child }): Markup {
  return (
    <button type="submit" name="until" value={until}>
      {children}
      <span class="unseen"> ({code})</span>
    </button>
  )
}

export function DevicesSection({
  report: { listening, allowed, waiting },
}: {
  report: DevicesReport
}): Markup {
  return (
    <>
      <h2 id="devices">Read on another device</h2>
      <p class="row">
        <a class="button" href="/devices">
          Read on another device
        </a>
        <span class="about">
          {listening === null
            ? 'Off. A phone or tablet on your network can read and play here.'
            : `On at ${listening}. Devices allowed: ${allowed.length}, waiting: ${waiting.length}.`}
        </span>
      </p>
    </>
  )
}

/** An address as a QR code, dark on white in every theme: not every camera reads the other way round. */
function QrCode({ address }: { address: string }): Markup {
  const dots = encodeQR(address, 'raw', { border: 4 })
  const size = dots.length
  const path = dots.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code of ${address}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  )
}
