import type { Pool } from 'pg'

/** Rows that have been unusable for at least a day, sessions that were not used for a year, and addresses of old events. */
const EXPIRED = [
  `delete from auth.rate_limits where updated_at < now() - interval '1 day'`,
  `delete from auth.flow_state where created_at < now() - interval '2 days'`,
  `delete from auth.mfa_challenges where created_at < now() - interval '1 day'`,
  `delete from auth.one_time_tokens where created_at < now() at time zone 'utc' - interval '2 days'`,
  `delete from auth.known_networks where seen_at < now() - interval '180 days'`,
  `delete from auth.sessions
   where greatest(created_at, updated_at, refreshed_at at time zone 'utc') < now() - interval '1 year'`,
  `delete from auth.audit_log_entries where created_at < now() - interval '1 year'`,
]

/** Idempotent; processes may run it concurrently. */
export async function sweepExpired(owner: Pool): Promise<void> {
  for (const statement of EXPIRED) await owner.query(statement)
}
