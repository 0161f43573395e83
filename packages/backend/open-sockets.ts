import { createTokenVerifier } from './auth/keys/token-verifier.ts'
import { hasSessionEnded } from './auth/sessions/has-session-ended.ts'
import { createRealtime, type Realtime, type RealtimeOptions } from './realtime/create-realtime.ts'

export interface SocketOptions extends Omit<RealtimeOptions, 'verifyToken' | 'isRevoked'> {
  /** Closes channels when their session ends; the hosted product closes them only when the token expires. */
  endWithSession?: boolean
}

/** Creates the realtime sockets of a process; `mountBackend` mounts the HTTP services. */
export function openSockets({ endWithSession = false, ...parts }: SocketOptions): Realtime {
  const { owner } = parts.database
  return createRealtime({
    ...parts,
    verifyToken: createTokenVerifier(owner),
    ...(endWithSession && { isRevoked: (claims) => hasSessionEnded(owner, claims) }),
  })
}
