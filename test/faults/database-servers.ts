import type { PlantedFault } from './fault.ts'

const DATABASE = 'packages/backend/database'
const SERVERS = `${DATABASE}/servers`
const COPY = `${DATABASE}/copy`
const COPIES = ['supabase/tests/database-copy.test.ts']
const REFUSALS = ['supabase/tests/servers/refusals.test.ts']

/** Database servers of the operator: what a start checks, how a failover is followed, and the copy to another server. */
export const databaseServerFaults: PlantedFault[] = [
  {
    rule: 'a pooler that refuses transactions is refused in one sentence',
    file: `${SERVERS}/pooler.ts`,
    find: "if (!(await begins(other))) return 'statement'",
    replace: "await other.query('begin')",
    tests: REFUSALS,
  },
  {
    rule: 'a copy compares the rows of each table',
    file: `${COPY}/copy-database.ts`,
    find: 'return isEqual(original, copy) ? original.rows : null',
    replace: 'return isEqual(original, copy) ? original.rows : copy.rows',
    tests: COPIES,
  },
  {
    rule: 'a copy restores foreign keys and triggers',
    file: `${COPY}/target.ts`,
    find: '    await client.query(statement)\n',
    replace: '    if (!statement) await client.query(statement)\n',
    tests: COPIES,
  },
  {
    rule: 'a copy continues the sequences',
    file: `${COPY}/copy-database.ts`,
    find: "'select setval($1, $2, $3)'",
    replace: "'select $1::text, $2::text, $3::boolean'",
    tests: COPIES,
  },
  {
    rule: 'a copy does not read from a shop that runs',
    file: `${COPY}/source.ts`,
    find: 'users > 0',
    replace: 'users > 1000',
    tests: COPIES,
  },
  {
    rule: 'a shop does not start on an unfinished copy',
    file: `${DATABASE}/prepare-application.ts`,
    find: 'if (await withConnection(server.superuserUrl, holdsUnfinishedCopy)) {',
    replace: 'if (!(await withConnection(server.superuserUrl, holdsUnfinishedCopy))) {',
    tests: COPIES,
  },
  {
    rule: 'a shop does not start on a database that was moved',
    file: `${DATABASE}/move/moved-mark.ts`,
    find: 'if (!present || present === nameOf(place)) return',
    replace: 'if (present || present === nameOf(place)) return',
    tests: ['supabase/tests/servers/move.test.ts'],
  },
  {
    rule: 'a move marks the old database before the new one can be used',
    file: `${DATABASE}/copy/copy-database.ts`,
    find: '      await onCompared?.()\n      await finishTarget(target)\n',
    replace: '      await finishTarget(target)\n      await onCompared?.()\n',
    tests: ['supabase/tests/servers/move.test.ts'],
  },
  {
    rule: 'a connection pooler in transaction mode is refused',
    file: `${SERVERS}/pooler.ts`,
    find: "if (first === second || first !== again) return 'transaction'",
    replace: 'if (first === second || first !== again) return null',
    tests: REFUSALS,
  },
  {
    rule: 'a start names missing rights, also that to bypass policies',
    file: `${SERVERS}/missing-rights.ts`,
    find: 'from me where not rolbypassrls',
    replace: 'from me where rolbypassrls',
    tests: ['supabase/tests/servers/rights.test.ts'],
  },
  {
    rule: 'a start refuses more connections than the server allows',
    file: `${SERVERS}/connections.ts`,
    find: 'if (allowed < needed) {',
    replace: 'if (2 * allowed < needed) {',
    tests: REFUSALS,
  },
  {
    rule: 'connections end when another server becomes the primary',
    file: `${SERVERS}/current-server.ts`,
    find: 'if (own !== url) connection',
    replace: 'if (own === url) connection',
    tests: [`${SERVERS}/follow-primary.test.ts`],
  },
  {
    rule: 'connections to a read-only server end',
    file: `${SERVERS}/current-server.ts`,
    find: "parameterValue !== 'on'",
    replace: "parameterValue === 'on'",
    tests: [`${SERVERS}/follow-primary.test.ts`],
  },
  {
    rule: 'options of the address keep the role of the API’s connections',
    file: `${SERVERS}/current-server.ts`,
    find: '[given, options].filter(Boolean)',
    replace: '[given || options].filter(Boolean)',
    tests: [`${SERVERS}/follow-primary.test.ts`],
  },
]
