import { createTokenVerifier } from './auth/keys/token-verifier.ts'
import { hasEnded } from './auth/sessions/has-ended.ts'
import { createRealtime, type Realtime, type RealtimeOptions } from './realtime/create-realtime.ts'

/** The live side of one process, for its web server: what `mountBackend` does for requests, for sockets. */
export function openSockets(parts: Omit<RealtimeOptions, 'verifyToken' | 'isRevoked'>): Realtime {
  const { owner } = parts.database
  return createRealtime({
    ...parts,
    verifyToken: createTokenVerifier(owner),
    isRevoked: (claims) => hasEnded(owner, claims),
  })
}
