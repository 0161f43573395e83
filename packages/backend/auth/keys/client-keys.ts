import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { z } from 'zod'

import { selectRows } from '#backend/database/select-rows.ts'

export interface ClientKeys {
  /** Public: identifies the client and grants the visitor's rights. */
  publishable: string
  /** Bypasses row-level security; must never leave the server. */
  secret: string
}

/** Returns this database's keys; the first call creates them. */
export async function loadClientKeys(owner: Pool): Promise<ClientKeys> {
  return (await findClientKeys(owner)) ?? createClientKeys(owner)
}

const keyRow = z.object({ kind: z.string(), key: z.string() })

async function findClientKeys(owner: Pool): Promise<ClientKeys | null> {
  const rows = await selectRows(owner, keyRow, ['select kind, key from auth.client_keys'])
  const { publishable, secret } = Object.fromEntries(rows.map(({ kind, key }) => [kind, key]))
  return publishable && secret ? { publishable, secret } : null
}

async function createClientKeys(owner: Pool): Promise<ClientKeys> {
  await owner.query(
    `insert into auth.client_keys (kind, key) values ('publishable', $1), ('secret', $2)
     on conflict (kind) do nothing`,
    [`sb_publishable_${randomPart()}`, `sb_secret_${randomPart()}`],
  )
  const keys = await findClientKeys(owner)
  if (!keys) throw new Error('auth.client_keys holds no keys after they were written')
  return keys
}

function randomPart(): string {
  return randomBytes(24).toString('base64url')
}
