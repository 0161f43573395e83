/** What tests and benchmarks of an application need beyond the package's own surface. Free of a test runner. */
export { totpCode } from '#backend/auth/factors/totp.ts'
export { completeSettings, type AuthSettings } from '#backend/auth/settings.ts'
export { findRunningPostgres, postgresUrl, startPostgres } from '#backend/database/embedded.ts'
export type { EmbeddedPostgres } from '#backend/database/embedded.ts'
export { NEWEST_MAJOR, postgresBinaries } from '#backend/database/binaries.ts'
export { createOwnedFolder, dataPath, prepareInstallation } from '#backend/database/installation.ts'
export { copyDatabase, type CopyProgress } from '#backend/database/copy/copy-database.ts'
export { openDatabase } from '#backend/database/pool.ts'
export { backendSource, prepareBackend } from '#backend/database/prepare-backend.ts'
export { requireUsable } from '#backend/database/servers/require-usable.ts'
export { DatabaseProblem } from '#backend/database/database-problem.ts'
export { inspectApplication, prepareApplication } from '#backend/database/prepare-application.ts'
export { checksumProblems } from '#backend/database/upgrade/checksums.ts'
export { sqlFolders, type SqlFolders } from '#backend/database/upgrade/testing/sql-folders.ts'
export { upgradeDatabase } from '#backend/database/upgrade/upgrade.ts'
export { loadClientKeys } from '#backend/auth/keys/client-keys.ts'
export { runDueJobs } from '#backend/jobs/run-jobs.ts'
export { logOptions } from '#backend/process/log.ts'
export { LIMITS as REALTIME_LIMITS } from '#backend/realtime/limits.ts'
export { UNFINISHED_UPLOAD_LIMITS } from '#backend/storage/create-storage.ts'

export { catalogueDifferences, snapshotCatalogue } from './catalogue.ts'
export { countStatuses } from './count-statuses.ts'
export { HttpConnection, requestOf } from './http-connection.ts'
export {
  findInstalledPostgres,
  type InstalledPostgres,
  startInstalledPostgres,
  startStandby,
} from './installed-postgres.ts'
export { useMemoryFolder } from './memory-folder.ts'
export { isPoolerInstalled, type Pooler, startPooler } from './pooler.ts'
export { countFor, runs, seededRandom } from './property-runs.ts'
export { quietLog } from './quiet-log.ts'
export { type ExitResult, freePort, launchProgram, waitForOutput } from './running-process.ts'
export { startTestServer, type TestPostgres } from './start-test-server.ts'
export { copyTemplate, databaseAt, onServer, openCopy, type TestDatabase } from './templates.ts'
export { openTestTransport, type TestTransport } from './transport.ts'
