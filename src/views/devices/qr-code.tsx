import encodeQR from 'qr'
import type { Markup } from '../jsx/jsx-runtime.ts'

/** An address as a QR code, dark on white in every theme: not every camera reads the other way round. */
export function QrCode({ address }: { address: string }): Markup {
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
