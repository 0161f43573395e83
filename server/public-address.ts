import type { Pool } from 'pg'
import type { Settings } from './settings.ts'

/** Writes to the database whether the shop is public: then staff need a second factor unless the shop decides otherwise. */
export async function syncPublicAddress(owner: Pool, settings: Pick<Settings, 'isLocal'>): Promise<void> {
  await owner.query('select private.set_public_address($1)', [!settings.isLocal])
}
