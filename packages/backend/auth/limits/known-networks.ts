import type { Pool, PoolClient } from 'pg'

import { networkOf } from '#backend/http/network.ts'

/** Records that the account signed in from the address's network. */
export async function rememberNetwork(client: PoolClient, userId: string, address: string): Promise<void> {
  await client.query(
    `insert into auth.known_networks (user_id, network) values ($1, $2)
     on conflict (user_id, network) do update set seen_at = now()`,
    [userId, networkOf(address)],
  )
}

/** Returns whether the account has signed in from this network; false when there is no account. */
export async function isKnownNetwork(owner: Pool, email: string, address: string): Promise<boolean> {
  const { rowCount } = await owner.query(
    'select from auth.known_networks join auth.users on users.id = user_id where email = $1 and network = $2',
    [email, networkOf(address)],
  )
  return rowCount !== 0
}

/** Records that a second factor was verified from this network, which a thief who has only the password cannot do. */
export async function rememberFactorNetwork(
  client: PoolClient,
  userId: string,
  address: string,
): Promise<void> {
  await client.query(
    `insert into auth.known_networks (user_id, network, factor_shown_at) values ($1, $2, now())
     on conflict (user_id, network) do update set seen_at = now(), factor_shown_at = now()`,
    [userId, networkOf(address)],
  )
}

export async function hasShownFactorFrom(
  database: Pool | PoolClient,
  userId: string,
  address: string,
): Promise<boolean> {
  const { rowCount } = await database.query(
    'select from auth.known_networks where user_id = $1 and network = $2 and factor_shown_at is not null',
    [userId, networkOf(address)],
  )
  return rowCount !== 0
}
