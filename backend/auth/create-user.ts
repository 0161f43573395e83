import type { Pool } from 'pg'

import { inTransaction } from '#backend/database/transaction.ts'
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

/** A confirmed account made by the server itself, for instance the first administrator's. Throws when it exists. */
export async function createUser(owner: Pool, user: UserToCreate): Promise<{ id: string; email: string }> {
  const { password, userMetadata = {}, appMetadata } = user
  const email = normaliseEmail(user.email)
  const passwordHash = await hashPassword(password)
  const { id } = await inTransaction(owner, (client) =>
    insertUser(client, { email, passwordHash, isConfirmed: true, userMetadata, appMetadata }),
  )
  return { id, email }
}
