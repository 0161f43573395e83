import type { IncomingMessage } from 'node:http'

import type { Caller } from '#backend/http/caller.ts'
import { noKey } from '#backend/http/errors.ts'
import { checkKey, keyHolder } from '#backend/http/gateway.ts'
import type { FindKeyRole } from '#backend/http/keys.ts'

import type { Limits } from '../limits.ts'
import type { Version } from '../protocol/frame.ts'

const SOCKET_PATH = '/realtime/v1/websocket'

export interface Admitted {
  version: Version
  keyHolder: Caller
}

export interface Refused {
  status: number
  body: object
}

interface SocketRequest {
  request: IncomingMessage
  findKeyRole: FindKeyRole
  limits: Limits
  /** Number of open sockets: all, and those of this network. */
  open: { all: number; fromNetwork: number }
}

/** Checks version, limits and API key of an upgrade request. Tokens are checked when channels are joined. */
export async function admit({
  request,
  findKeyRole,
  limits,
  open,
}: SocketRequest): Promise<Admitted | Refused> {
  const url = new URL(request.url ?? '/', 'http://socket')
  if (url.pathname !== SOCKET_PATH)
    return { status: 404, body: { message: 'no Route matched with those values' } }
  const version = url.searchParams.get('vsn') ?? '1.0.0'
  if (version !== '1.0.0' && version !== '2.0.0') {
    return {
      status: 400,
      body: { error: `The protocol version ${version} is not served: use 1.0.0 or 2.0.0` },
    }
  }
  if (open.all >= limits.sockets || open.fromNetwork >= limits.socketsPerAddress) {
    return { status: 429, body: { error: 'Too many connected users' } }
  }
  const key = headerOf(request, 'x-api-key') ?? url.searchParams.get('apikey') ?? headerOf(request, 'apikey')
  if (!key) return noKey
  const role = await checkKey(findKeyRole, key, request.headers['user-agent'])
  return typeof role === 'string' ? { version, keyHolder: keyHolder(role) } : role
}

export function isRealtimeUpgrade({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/realtime/v1/')
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}
