import type { PlantedFault } from './fault.ts'

const requestTests = ['test/contracts/request-id.contract.test.ts']
const refundTests = ['payments/refunds.test.ts']
const silenceTests = ['packages/backend/database/servers/watch-silence.test.ts']
const addressTests = ['supabase/tests/network-addresses.test.ts']
const copyTests = ['server/external-backup.test.ts']

export const operationFaults: PlantedFault[] = [
  {
    rule: 'a flood of health checks asks the database once',
    file: 'server/health/run-checks.ts',
    find: 'return () => (running ??= runChecks',
    replace: 'return () => (running = runChecks',
    tests: ['server/health/health-checks.test.ts'],
  },
  {
    rule: 'the password of a database is no argument of a command',
    file: 'scripts/move/database.ts',
    find: '@|[?&]password=/.test(address)',
    replace: '@@/.test(address)',
    tests: ['supabase/tests/servers/move.test.ts'],
  },
  {
    rule: 'a restored copy is written below its folder, whatever the manifest says',
    file: 'packages/backend/backup/manifest.ts',
    find: "!path.split('/').includes('..')",
    replace: "!path.split('/').includes('...')",
    tests: ['packages/backend/backup/backup.test.ts'],
  },
  {
    rule: 'the first admin’s account and role are one transaction',
    file: 'server/admins.ts',
    find: "await grantStaffRole(client, email, 'admin')",
    replace: "await client.query('commit')\n  await grantStaffRole(client, email, 'admin')",
    tests: ['server/first-admin.test.ts'],
  },
  {
    rule: 'a job belongs to the request that caused it',
    file: 'packages/backend/jobs/caused-by-request.ts',
    find: 'data ? withinRequest(data.requestId, () => task(payload, helpers)) : task(payload, helpers)',
    replace: 'task(payload, helpers)',
    tests: [...requestTests, ...refundTests],
  },
  {
    rule: 'a notice that is checked again still belongs to its request',
    file: 'supabase/schema/payments/notices.sql',
    find: "json_build_object('noticeId', notice_id, 'requestId', nullif(current_setting('request.id', true), ''))",
    replace: "json_build_object('noticeId', notice_id)",
    tests: requestTests,
  },
  {
    rule: 'a refund’s job belongs to the request of the admin',
    file: 'supabase/schema/payments/refund_requests.sql',
    find: "json_build_object('refundId', refund_id, 'requestId', nullif(current_setting('request.id', true), ''))",
    replace: "json_build_object('refundId', refund_id)",
    tests: refundTests,
  },
  {
    rule: 'the result of a refund belongs to the request of the admin',
    file: 'payments/payfast/send-refund.ts',
    find: "await inTransaction(owner, (client) => client.query('select private.finish_refund($1, $2)', [id, message]))",
    replace: "await owner.query('select private.finish_refund($1, $2)', [id, message])",
    tests: refundTests,
  },
  {
    rule: 'connections to a database that does not answer are ended',
    file: 'packages/backend/database/servers/current-server.ts',
    find: 'for (const { connection } of this.#connections) connection.stream.destroy(new NoAnswerError())',
    replace: '',
    tests: silenceTests,
  },
  {
    rule: 'no new connection waits for a database that does not answer',
    file: 'packages/backend/database/servers/current-server.ts',
    find: 'if (this.#isSilent) setImmediate(() => connection.stream.destroy(new NoAnswerError()))',
    replace: '',
    tests: silenceTests,
  },
  {
    rule: 'a database that answers again is used again',
    file: 'packages/backend/database/servers/watch-silence.ts',
    find: 'server.isSilent = isSilent',
    replace: 'if (isSilent) server.isSilent = isSilent',
    tests: silenceTests,
  },
  {
    rule: 'a restored copy does not open the database that its backup was made beside',
    file: 'packages/backend/backup/restored-copy.ts',
    find: 'if (!isOriginal && !(await runsJobs(databaseUrl))) return',
    replace: 'if (!(await runsJobs(databaseUrl))) return',
    tests: copyTests,
  },
  {
    rule: 'a restored copy does not open a database on which a shop runs jobs',
    file: 'packages/backend/backup/restored-copy.ts',
    find: 'if (!isOriginal && !(await runsJobs(databaseUrl))) return',
    replace: 'if (!isOriginal) return',
    tests: copyTests,
  },
  {
    rule: 'optional writes leave the rest of the disk to orders',
    file: 'server/optional-writes.ts',
    find: "level === 'critical'",
    replace: "level === 'ok'",
    tests: ['server/optional-writes.test.ts'],
  },
  {
    rule: 'a database of another machine does not need the room of this disk',
    file: 'server/optional-writes.ts',
    find: '!databaseUrl && ',
    replace: '',
    tests: ['server/optional-writes.test.ts'],
  },
  {
    rule: 'a backup does not take the database’s last room',
    file: 'packages/backend/backup/keep-backups.ts',
    find: '(await diskOf(folder)) === (await diskOf(dataDir))',
    replace: '(await diskOf(folder)) !== (await diskOf(dataDir))',
    tests: ['packages/backend/backup/backup.test.ts'],
  },
  {
    rule: 'wrong second-factor codes are in the audit log',
    file: 'packages/backend/auth/audit-log.ts',
    find: "error.code === 'mfa_verification_failed'",
    replace: "error.code === 'mfa_challenge_expired'",
    tests: ['test/contracts/account-events.contract.test.ts'],
  },
  {
    rule: 'ending another session of one’s own is a sign-out',
    file: 'packages/backend/auth/sessions/own-sessions.ts',
    find: '  await recordSignOut(auth, c, user.id)\n',
    replace: '',
    tests: ['test/contracts/account-events.contract.test.ts'],
  },
  {
    rule: 'network addresses in the audit log of accounts are erased after a year',
    file: 'packages/backend/auth/limits/sweep.ts',
    find: "delete from auth.audit_log_entries where created_at < now() - interval '1 year'",
    replace: "delete from auth.audit_log_entries where created_at < now() - interval '2 years'",
    tests: addressTests,
  },
  {
    rule: 'the address of a notice is erased from its checks too',
    file: 'supabase/schema/people/retention.sql',
    find: "c.check_name = 'source' and",
    replace: "c.check_name = 'signature' and",
    tests: addressTests,
  },
  {
    rule: 'a revoked DKIM key is no DKIM record',
    file: 'server/doctor/mail-checks.ts',
    find: 'p=\\s*[\\w+/]/i',
    replace: 'p=/i',
    tests: ['server/doctor/doctor.test.ts'],
  },
  {
    rule: 'a public shop without live payments is reminded of them',
    file: 'supabase/schema/admin/attention.sql',
    find: "not r.is_public_address or r.refund_way = 'payfast'",
    replace: 'true',
    tests: ['test/contracts/settings.contract.test.ts'],
  },
]
