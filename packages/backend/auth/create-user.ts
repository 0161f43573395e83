import type { PoolClient } from 'pg'

import { recordProof } from './mailbox/mailbox-proof.ts'
import { hashPassword } from './passwords/hash-password.ts'
import { normaliseEmail } from './request.ts'
import { insertUser } from './users/insert-user.ts'
import type { Metadata } from './users/user-row.ts'

export interface UserToCreate {
  email: string
  password: string
  userMetadata?: Metadata
  appMetadata?: Metadata
}

/** Creates a verified account in the caller's transaction, for the first administrator. Throws when it exists. */
export async function createUser(
  client: PoolClient,
  { password, userMetadata = {}, appMetadata, ...user }: UserToCreate,
): Promise<{ id: string; email: string }> {
  const email = normaliseEmail(user.email)
  const passwordHash = await hashPassword(password)
  const { id } = await insertUser(client, {
    email,
    passwordHash,
    isConfirmed: true,
    userMetadata,
    appMetadata,
  })
  await recordProof(client, { userId: id, address: email, method: 'operator' })
  return { id, email }
}
