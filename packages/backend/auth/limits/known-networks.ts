import type { Pool, PoolClient } from 'pg'

import { networkOf } from '#backend/http/network.ts'

interface Visit {
  userId: string
  address: string
  /** A second factor was verified, which a thief who has only the password cannot do. */
  hasShownFactor?: boolean
}

/** Records that the account signed in from the address's network. */
export async function rememberNetwork(
  client: PoolClient,
  { userId, address, hasShownFactor = false }: Visit,
): Promise<void> {
  await client.query(
    `insert into auth.known_networks as known (user_id, network, factor_shown_at) values ($1, $2, case when $3 then now() end)
     on conflict (user_id, network) do update
       set seen_at = now(), factor_shown_at = coalesce(excluded.factor_shown_at, known.factor_shown_at)`,
    [userId, networkOf(address), hasShownFactor],
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
