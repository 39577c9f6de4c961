import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate and its key in PEM form, and what is needed to sign other certificates. */
export interface Certificate {
  cert: string
  key: string
  subject: string
  signer: KeyObject
}

/** Makes an authority that no system trusts. */
export function makeAuthority(subject = 'Inglenook test authority'): Certificate {
  return issue(
    subject,
    null,
    tagged(0x30, tagged(0x30, oid(BASIC_CONSTRAINTS), TRUE, tagged(0x04, tagged(0x30, TRUE)))),
  )
}

/** Makes a certificate for a DNS name or an IPv4 address, signed by an authority. It has expired if `until` is in the past. */
export function certify(
  authority: Certificate,
  name: string,
  until = new Date(Date.now() + DAY),
): Certificate {
  const isAddress = /^[\d.]+$/.test(name)
  const altName = isAddress
    ? tagged(0x87, Buffer.from(name.split('.').map(Number)))
    : tagged(0x82, Buffer.from(name))
  const extension = tagged(0x30, oid(SUBJECT_ALT_NAME), tagged(0x04, tagged(0x30, altName)))
  return issue(name, authority, tagged(0x30, extension), until)
}

const DAY = 86_400_000
const TRUE = Buffer.from([0x01, 0x01, 0xff])
const BASIC_CONSTRAINTS = [0x55, 0x1d, 0x13]
const SUBJECT_ALT_NAME = [0x55, 0x1d, 0x11]
const COMMON_NAME = [0x55, 0x04, 0x03]
const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]

// Just enough X.509 for the tests, so that no other program is needed.
function issue(
  subject: string,
  authority: Certificate | null,
  extensions: Buffer,
  until = new Date(Date.now() + DAY),
): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signer = authority?.signer ?? privateKey
  const algorithm = tagged(0x30, oid(ECDSA_WITH_SHA256))
  const body = tagged(
    0x30,
    tagged(0xa0, Buffer.from([0x02, 0x01, 0x02])),
    Buffer.from([0x02, 0x01, 1 + Math.floor(Math.random() * 126)]),
    algorithm,
    named(authority?.subject ?? subject),
    tagged(0x30, time(new Date(until.getTime() - 2 * DAY)), time(until)),
    named(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  )
  const signature = tagged(0x03, Buffer.from([0]), sign('sha256', body, signer))
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { cert: pem(tagged(0x30, body, algorithm, signature)), key, subject, signer }
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function oid(bytes: number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes))
}

function named(text: string): Buffer {
  return tagged(0x30, tagged(0x31, tagged(0x30, oid(COMMON_NAME), tagged(0x0c, Buffer.from(text)))))
}

function time(date: Date): Buffer {
  return tagged(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
