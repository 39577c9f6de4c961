import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'

/**
 * Takes away what the engine's packages open connections with: this process gets stories, and nobody here wrote them. They
 * are made for Node, so they know nothing of Bun's own ways.
 */
export function goOffline(): void {
  const refuse = (): never => {
    throw new Error('The engine opens no connections.')
  }
  const refuseLater = async () => refuse()
  Object.assign(globalThis, { fetch: refuseLater, WebSocket: refuse, EventSource: refuse })
  Object.assign(net.Socket.prototype, { connect: refuse })
  Object.assign(net, { connect: refuse, createConnection: refuse })
  Object.assign(dgram, { createSocket: refuse })
  Object.assign(dns, { lookup: refuse, resolve: refuse })
}
