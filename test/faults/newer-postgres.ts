import type { PlantedFault } from './fault.ts'

const MAJOR = 'packages/backend/database/major'
const MOVE = [`${MAJOR}/move-to-newest.test.ts`]

/** Moving the embedded database to a newer PostgreSQL. */
export const newerPostgresFaults: PlantedFault[] = [
  {
    rule: 'a start finishes a switch that a crash interrupted',
    file: `${MAJOR}/clusters.ts`,
    find: '  await renameDurably(`${data}${READY}`, data)\n',
    replace: '',
    tests: MOVE,
  },
  {
    rule: 'a move to a newer PostgreSQL begins again after one that was killed while it copied',
    file: `${MAJOR}/clusters.ts`,
    find: '  await rm(unfinished, { recursive: true, force: true })\n',
    replace: '',
    tests: MOVE,
  },
  {
    rule: 'a copy that was finished before a kill does not take the place of the present database',
    file: `${MAJOR}/clusters.ts`,
    find: '  await rm(`${data}${READY}`, { recursive: true, force: true })\n',
    replace: '',
    tests: MOVE,
  },
  {
    rule: 'the former database is not removed before its time is over',
    file: `${MAJOR}/clusters.ts`,
    find: 'until !== undefined && until < today',
    replace: 'until !== undefined',
    tests: MOVE,
  },
  {
    rule: 'a database with definitions of the operator stays',
    file: `${MAJOR}/definitions.ts`,
    find: 'if (missing.length === 0) return',
    replace: 'if (missing.length < 1000) return',
    tests: MOVE,
  },
  {
    rule: 'the log of the new PostgreSQL does not continue the archived one',
    file: `${MAJOR}/move-to-newest.ts`,
    find: 'await forgetChain(folder)\n',
    replace: '\n',
    tests: [...MOVE, `${MAJOR}/backups.test.ts`],
  },
  {
    rule: 'settings of roles and databases move',
    file: `${MAJOR}/move-to-newest.ts`,
    find: 'await copySettings(source, copy)\n',
    replace: '\n',
    tests: MOVE,
  },
  {
    rule: 'a database runs with the programs of its own PostgreSQL',
    file: 'packages/backend/database/embedded.ts',
    find: 'await postgresBinaries(major ?? options.newMajor)',
    replace: 'await postgresBinaries(options.newMajor)',
    tests: [`${MAJOR}/move-to-newest.test.ts`],
  },
  {
    rule: 'a restricted delete is a conflict on PostgreSQL 18, too',
    file: 'supabase/schema/changes/history.sql',
    find: 'foreign_key_violation or restrict_violation or unique_violation',
    replace: 'foreign_key_violation or unique_violation',
    tests: ['supabase/tests/changes.test.ts'],
  },
]
