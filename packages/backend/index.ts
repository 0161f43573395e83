/** The whole surface of the package. Everything else is internal. */

// The services
export { createBackend, type Api, type Backend } from './create-backend.ts'
export type { AuthMail, MailKind, SendText } from './auth/mail.ts'
export type { Limit } from './auth/limits/default-limits.ts'
export type { AuthSettingsInput } from './auth/settings.ts'
export type { FunctionHandler } from './functions/create-functions.ts'
export type { RunInTurn, Preamble } from './rest/create-rest.ts'
export type { StorageParts } from './storage/parts.ts'
export { claimFiles } from './storage/files/claim-files.ts'
export { fileTransferOf } from './storage/file-transfer.ts'
export type { FileStore } from './storage/files/file-store.ts'
export { FileStoreProblem } from './storage/files/file-store-problem.ts'
export { filesOf, openFiles } from './storage/files/open-files.ts'
export { readS3Settings, s3Options } from './storage/s3/read-s3-settings.ts'
export { addressOfBucket, type S3Settings } from './storage/s3/s3-settings.ts'
export { countMissingFiles } from './storage/missing-files.ts'
export { moveFiles } from './storage/move-files.ts'
export type { SeedTarget } from './storage/seed-bucket.ts'
export { StorageError } from './storage/errors.ts'
export { bucketOfUpload } from './storage/resumable/upload-metadata.ts'
export { seedBucket } from './storage/seed-bucket.ts'
export { createUser } from './auth/create-user.ts'
export { isPassword } from './auth/passwords/hash-password.ts'
export type { ClientKeys } from './auth/keys/client-keys.ts'

// Callers and their limits
export {
  creditRateLimit,
  rateLimitStatement,
  tryConsumeRateLimit,
  type RateLimit,
} from './auth/limits/rate-limit.ts'
export { asCaller, type Caller } from './http/caller.ts'
export type { GatewayVariables } from './http/gateway.ts'

// The database
export { claimDataFolder, openStore, withStore, type Store } from './database/open-store.ts'
export type { CopyProgress } from './database/copy/copy-database.ts'
export { estimateMove, moveDatabase } from './database/move/move-database.ts'
export type { DatabasePlace } from './database/with-server.ts'
export { shareDatabase } from './database/share-database.ts'
export type { Application } from './database/prepare-application.ts'
export { runInOneProcess } from './database/run-in-one-process.ts'
export { listenToChannel } from './database/listen-to-channel.ts'
export type { DatabasePools } from './database/pool.ts'
export { jsonObject, selectRow, selectRows } from './database/select-rows.ts'
export { unavailableResponse, whyUnavailable } from './database/unavailable.ts'
export { isDatabaseUrl } from './database/servers/addresses.ts'
export { inTransaction } from './database/transaction.ts'
export { readRelease } from './database/upgrade/release.ts'
export type { Run } from './database/upgrade/run.ts'
export { seed } from './database/upgrade/seed.ts'
export type { Source } from './database/upgrade/source.ts'
export { startJobs, type TaskList } from './jobs/run-jobs.ts'

// Backups
export { createBackup } from './backup/create-backup.ts'
export { whyWithoutDatabase } from './backup/database-dump.ts'
export { keepBackups } from './backup/keep-backups.ts'
export { BACKUP_FOLDER_FILE, hasLostBackups } from './backup/lost-backups.ts'
export { holdsDatabase, isInFuture, listBackups, momentOfBackup } from './backup/manifest.ts'
export { restoreBackup } from './backup/restore-backup.ts'
export { isRestoredCopy, makeLive, requireOwnDatabase } from './backup/restored-copy.ts'
export { removeTriedCopies, tryRestore, type TriedCopy } from './backup/try-restore.ts'
export { verifyBackups } from './backup/verify-backup.ts'
export { logWaitingSince } from './backup/wal-archive.ts'

// The process
export {
  clientAddressOf,
  connectionOf,
  logRequest,
  logRequests,
  requestIdOf,
  unredactedLog,
  type EdgeVariables,
  type ListenerContext,
} from './http/edge.ts'
export type { Concurrency } from './http/concurrency.ts'
export { limitBody, ReceivedBytes } from './http/body.ts'
export { isLoopbackAddress, isLoopbackHost } from './http/loopback.ts'
export { postMessage } from './http/post-message.ts'
export { networkOf, siteOf } from './http/network.ts'
export { TextResponse, textOfResponse } from './http/text-response.ts'
export { markRunning, noteCrash, readCrashes } from './process/crashes.ts'
export { diskSpace, type DiskSpace } from './process/disk-space.ts'
export { limitConnections, requireOpenFiles } from './process/connection-limit.ts'
export { closeWebServer, createWebServer, listen, requireFreePort } from './process/listen.ts'
export { listenerFor } from './process/listener.ts'
export { createLog, LOG_LEVELS } from './process/create-log.ts'
export { errorMessage } from './process/error-message.ts'
export type { Log } from './process/log.ts'
export { InvalidSettings } from './process/invalid-settings.ts'
export { exitWithError } from './process/startup-error.ts'
export { PROCESS_STOP_TIMEOUT_MS, stopOnce } from './process/stop-once.ts'
