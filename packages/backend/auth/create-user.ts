import type { Pool } from 'pg'

import { inTransaction } from '#backend/database/transaction.ts'
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

/** Creates a verified account, for the first administrator. Throws when it exists. */
export async function createUser(owner: Pool, user: UserToCreate): Promise<{ id: string; email: string }> {
  const { password, userMetadata = {}, appMetadata } = user
  const email = normaliseEmail(user.email)
  const passwordHash = await hashPassword(password)
  const { id } = await inTransaction(owner, async (client) => {
    const created = await insertUser(client, {
      email,
      passwordHash,
      isConfirmed: true,
      userMetadata,
      appMetadata,
    })
    await recordProof(client, { userId: created.id, address: email, method: 'operator' })
    return created
  })
  return { id, email }
}
