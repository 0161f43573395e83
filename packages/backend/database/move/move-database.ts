import { join } from 'node:path'
import { withCopyConnection } from '../copy/connect.ts'
import { type CopiedDatabase, copyDatabase, type CopyOptions } from '../copy/copy-database.ts'
import { readTables } from '../copy/tables.ts'
import { holdsUnfinishedCopy, requireCopyTarget } from '../copy/target.ts'
import { identify } from '../copy/source.ts'
import { DatabaseProblem } from '../database-problem.ts'
import { missingDefinitions } from '../major/definitions.ts'
import type { Application } from '../prepare-application.ts'
import { nameOfDatabase } from '../servers/addresses.ts'
import { requireUsable } from '../servers/require-usable.ts'
import { isMarkedAsMoved, markMoved, requireNotMoved } from './moved-mark.ts'
import {
  type DatabasePlace,
  isExistingPlace,
  requireExisting,
  withServer,
  withUnusedServer,
} from '../with-server.ts'

export interface Move {
  from: DatabasePlace
  to: DatabasePlace
}

export interface MoveEstimate {
  tables: number
  bytes: number
  seconds: number
}

/** Building the tables, and starting an embedded server. */
const FIXED_SECONDS = 15
/** Copying and comparing, with indexes: half of what two cores with a local server reach. */
const BYTES_PER_SECOND = 5_000_000

/** Measures a move, also while the shop runs. Throws when the target cannot be used. */
export async function estimateMove({ from, to }: Move, application: Application): Promise<MoveEstimate> {
  await requireMovable({ from, to })
  return withServer(from, ({ superuserUrl }) =>
    withCopyConnection(superuserUrl, async (source) => {
      await checkTarget(to, await identify(source), application)
      const tables = await readTables(source)
      const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
      return { tables: tables.length, bytes, seconds: FIXED_SECONDS + Math.ceil(bytes / BYTES_PER_SECOND) }
    }),
  )
}

interface MovedDatabase extends CopiedDatabase {
  /** What the operator has added to the former database, such as an index: this program does not build it. */
  notMoved: string[]
}

/** Copies the database of a stopped shop to another place. A repeated call continues a move that was interrupted. */
export async function moveDatabase({ from, to }: Move, options: CopyOptions): Promise<MovedDatabase> {
  await requireMovable({ from, to })
  let notMoved: string[] = []
  const check: CopyOptions['check'] = async (source, target) => {
    const missing = await missingDefinitions(source, target)
    notMoved = missing.filter((name) => OWN_KINDS.test(name))
  }
  // Before the new database can be used: otherwise an interruption would leave two databases that the shop accepts.
  const onCompared = () => markMoved(from.dataDir, to)
  const copied = await withUnusedServer(from, (source) =>
    withUnusedServer(to, (target) => copyDatabase(source, target, { ...options, check, onCompared })),
  )
  return { ...copied, notMoved }
}

/** Extensions and constraints that PostgreSQL names by itself differ between versions. */
const OWN_KINDS = /^(?:index|view|materialized view|function|trigger|policy) (?!extensions\.)/

async function requireMovable({ from, to }: Move): Promise<void> {
  requireDifferent(from, to)
  if (!(await isMarkedAsMoved(from.dataDir, to)) || !(await isUnfinished(to))) await requireNotMoved(from)
  await requireExisting(from)
}

async function isUnfinished(place: DatabasePlace): Promise<boolean> {
  if (!(await isExistingPlace(place))) return false
  return withServer(place, ({ superuserUrl }) => withCopyConnection(superuserUrl, holdsUnfinishedCopy))
}

async function checkTarget(
  to: DatabasePlace,
  source: string,
  { extensions = [] }: Application,
): Promise<void> {
  if (!(await isExistingPlace(to))) return
  if (to.databaseUrl) await requireUsable(to.databaseUrl, { connections: 1, extensions })
  const advice = to.databaseUrl ? undefined : `move the folder ${join(to.dataDir, 'postgres')} away first`
  await withServer(to, ({ superuserUrl }) =>
    withCopyConnection(superuserUrl, (target) => requireCopyTarget(target, source, advice)),
  )
}

function requireDifferent(from: DatabasePlace, to: DatabasePlace): void {
  const same =
    from.databaseUrl && to.databaseUrl && nameOfDatabase(from.databaseUrl) === nameOfDatabase(to.databaseUrl)
  if (!same && (from.databaseUrl || to.databaseUrl)) return
  throw new DatabaseProblem('the shop uses this database already')
}
