import type { ClientKeys } from './keys/client-keys.ts'
import type { SignToken } from './keys/token-signer.ts'
import type { VerifyAccessToken } from './keys/token-verifier.ts'
import type { AuthSettings } from './settings.ts'
import type { SendMail, SendText } from './mail.ts'
import type { DatabasePools } from '#backend/database/pool.ts'

/** Dependencies of all operations. */
export interface AuthContext {
  database: DatabasePools
  keys: ClientKeys
  /** The process's address, without a trailing slash. */
  publicUrl: string
  settings: AuthSettings
  signToken: SignToken
  verifyToken: VerifyAccessToken
  sendMail: SendMail
  /** Required for phone factors. */
  sendText?: SendText
}
