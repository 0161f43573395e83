import type { ClientKeys } from './keys/client-keys.ts'
import type { SignToken } from './keys/token-signer.ts'
import type { VerifyToken } from './keys/token-verifier.ts'
import type { AuthSettings } from './settings.ts'
import type { SendMail, SendText } from './mail.ts'
import type { Database } from '#backend/database/pool.ts'

/** What every operation is given. */
export interface AuthParts {
  database: Database
  keys: ClientKeys
  /** Where the process is reached, without a slash at the end. */
  publicUrl: string
  settings: AuthSettings
  signToken: SignToken
  verifyToken: VerifyToken
  sendMail: SendMail
  /** Without it phones cannot be factors. */
  sendText?: SendText
}
