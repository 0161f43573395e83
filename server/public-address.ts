import type { Pool } from 'pg'
import type { Settings } from './settings.ts'

/** Stores whether the shop is public: if so, staff need a second factor unless the shop's settings waive it. */
export async function syncPublicAddress(owner: Pool, settings: Pick<Settings, 'isLocal'>): Promise<void> {
  await owner.query('select private.set_public_address($1)', [!settings.isLocal])
}
