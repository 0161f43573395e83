import { createTokenVerifier } from './auth/keys/token-verifier.ts'
import { hasEnded } from './auth/sessions/has-ended.ts'
import { createRealtime, type Realtime, type RealtimeOptions } from './realtime/create-realtime.ts'

export interface SocketOptions extends Omit<RealtimeOptions, 'verifyToken' | 'isRevoked'> {
  /** Closes channels when their session ends, not only when the token expires, which is all the hosted product does. */
  endWithSession?: boolean
}

/** The live side of one process, for its web server: what `mountBackend` does for requests, for sockets. */
export function openSockets({ endWithSession = false, ...parts }: SocketOptions): Realtime {
  const { owner } = parts.database
  return createRealtime({
    ...parts,
    verifyToken: createTokenVerifier(owner),
    ...(endWithSession && { isRevoked: (claims) => hasEnded(owner, claims) }),
  })
}
