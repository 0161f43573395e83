import { escapeLiteral } from 'pg'
import { migrateJobs } from '#backend/jobs/run-jobs.ts'
import { holdsUnfinishedCopy } from './copy/target.ts'
import { DatabaseProblem } from './database-problem.ts'
import { openDatabase } from './pool.ts'
import { backendSource, changeRoles, prepareRoles } from './prepare-backend.ts'
import { withConnection } from './upgrade/connection.ts'
import type { Plan } from './upgrade/plan.ts'
import type { Release } from './upgrade/release.ts'
import type { Run } from './upgrade/run.ts'
import type { Source } from './upgrade/source.ts'
import { inspectDatabase, upgradeDatabase } from './upgrade/upgrade.ts'

export interface DatabaseServer {
  /** Connects as the role that owns the tables. */
  url: string
  /** Connects as a superuser; the same as `url` on a server that this process does not run itself. */
  superuserUrl: string
}

/** An application's tables and code beside the backend's. */
export interface Application {
  /** `ownerRole` runs its files on a superuser's connection; null when there is no separate superuser. */
  sourceFor(this: void, ownerRole: string | null): Source
  release: Release
  /** Extensions without which its tables cannot be created. */
  extensions?: string[]
  /** Runs after all files in the same transaction, as the owner. */
  finish(this: void, run: Run): Promise<void>
}

/** Returns what a start would do to the database. Throws a DatabaseProblem when it would refuse. */
export async function inspectApplication(
  server: DatabaseServer,
  application: Application,
): Promise<Plan['kind']> {
  if (await withConnection(server.superuserUrl, holdsUnfinishedCopy)) {
    throw new DatabaseProblem(
      'the database holds an unfinished copy of another one: run the same npm run move again, which continues it',
    )
  }
  return inspectDatabase(server.superuserUrl, upgradeOf(server, application))
}

/**
 * Upgrades a database to the running version's tables and code. Roles and the job queue's tables come first, each in a separate
 * transaction: roles belong to the whole server, and an application's triggers write jobs. Leaves a database alone that a
 * newer, compatible version has upgraded.
 */
export async function prepareApplication(server: DatabaseServer, application: Application): Promise<void> {
  await applyApplication(server, application, await inspectApplication(server, application))
}

/** Does the same to the target of a copy, which `prepareApplication` refuses. */
export async function applyApplication(
  server: DatabaseServer,
  application: Application,
  plan?: Plan['kind'],
): Promise<void> {
  if (plan !== 'newer') await prepareRoles(server.superuserUrl)
  if (server.url !== server.superuserUrl) await setOwnerPassword(server)
  if (plan === 'newer') return
  await prepareJobs(server.url)
  await upgradeDatabase(server.superuserUrl, upgradeOf(server, application))
}

function upgradeOf(server: DatabaseServer, { sourceFor, release, finish }: Application) {
  const ownerRole = ownerRoleOf(server)
  return { sources: [backendSource, sourceFor(ownerRole)], release, finish, ownerRole }
}

function ownerRoleOf({ url, superuserUrl }: DatabaseServer): string | null {
  return url === superuserUrl ? null : decodeURIComponent(new URL(url).username)
}

async function prepareJobs(url: string): Promise<void> {
  const database = openDatabase(url, { ownerConnections: 1 })
  try {
    await migrateJobs(database.owner)
  } finally {
    await database.close()
  }
}

/** The owner role of a new embedded server has no password: set the one from the data folder. Every process does. */
async function setOwnerPassword({ url, superuserUrl }: DatabaseServer): Promise<void> {
  const password = escapeLiteral(decodeURIComponent(new URL(url).password))
  await changeRoles(superuserUrl, `alter role postgres with password ${password}`)
}
