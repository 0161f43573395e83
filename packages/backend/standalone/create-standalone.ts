import { join, resolve } from 'node:path'
import type { Logger } from 'pino'

import type { ClientKeys } from '#backend/auth/keys/client-keys.ts'
import type { Limit } from '#backend/auth/limits/default-limits.ts'
import type { AuthSettingsInput, RelyingParty } from '#backend/auth/settings.ts'
import type { DatabasePools } from '#backend/database/pool.ts'
import { logRequests } from '#backend/http/edge.ts'
import { type Backend, createBackend } from '#backend/create-backend.ts'
import { claimFiles } from '#backend/storage/files/claim-files.ts'
import type { FileStore } from '#backend/storage/files/file-store.ts'
import { openFiles } from '#backend/storage/files/open-files.ts'
import { readS3Settings } from '#backend/storage/s3/read-s3-settings.ts'
import { loadFunctions } from './load-functions.ts'
import { messageTasks, queueAccountMail, type MessageSettings } from './messages.ts'
import type { Options } from './options.ts'

export interface StandaloneParts {
  options: Options
  database: DatabasePools
  keys: ClientKeys
  log: Logger
  closing: AbortSignal
}

export async function createStandalone({ options, ...parts }: StandaloneParts): Promise<Backend> {
  const { database, log } = parts
  const publicUrl = publicUrlOf(options)
  const dataDir = resolve(options.DATA_DIR)
  const backend = createBackend({
    ...parts,
    publicUrl,
    files: await openStandaloneFiles(options, parts),
    trustProxy: options.TRUST_PROXY,
    legacySecret: options.JWT_SECRET,
    isKeyOptional: !options.REQUIRE_KEY,
    auth: {
      settings: authSettings(options, publicUrl),
      sendMail: queueAccountMail,
      phoneWebhookUrl: options.PHONE_WEBHOOK_URL,
    },
    rest: {
      exposed: options.SCHEMAS,
      extraSearchPath: options.EXTRA_SEARCH_PATH,
      maxRows: options.MAX_ROWS,
      allowsRollback: options.ALLOW_ROLLBACK,
      limits: options.MAX_BODY_BYTES ? { bodyBytes: options.MAX_BODY_BYTES } : {},
      statementTimeoutMs: options.STATEMENT_TIMEOUT,
    },
    storage: { maxFileBytes: options.MAX_FILE_BYTES },
    functions: {
      functions: options.FUNCTIONS_DIR ? await loadFunctions(options.FUNCTIONS_DIR) : {},
      createContext: (caller) => ({ caller, database, publicUrl }),
      maxBodyBytes: options.MAX_FUNCTION_BODY_BYTES,
    },
    guard: (api) => api.use(logRequests(log)),
  })
  const { api } = backend
  api.get('/healthz', (c) => c.json({ status: 'alive' }))
  api.notFound((c) => c.json({ message: 'no Route matched with those values' }, 404))
  api.onError((error, c) => {
    log.error({ err: error, id: c.get('requestId'), path: c.req.path }, 'Request failed')
    return c.json({ message: 'An unexpected error occurred' }, 500)
  })
  return { ...backend, tasks: { ...backend.tasks, ...messageTasks(messageSettings(options, dataDir)) } }
}

async function openStandaloneFiles(
  options: Options,
  { database, log }: Pick<StandaloneParts, 'database' | 'log'>,
): Promise<FileStore> {
  const place = { dataDir: resolve(options.DATA_DIR), s3: readS3Settings(options) }
  const files = await openFiles(place, log)
  await claimFiles(files, database.owner)
  return files
}

export function publicUrlOf(options: Options): string {
  return options.PUBLIC_URL ?? `http://localhost:${options.PORT}`
}

function authSettings(options: Options, publicUrl: string): AuthSettingsInput {
  return {
    isSignUpOpen: options.SIGN_UP,
    autoconfirm: options.AUTOCONFIRM,
    tokenLifetimeSeconds: options.TOKEN_LIFETIME,
    passwordMinLength: options.PASSWORD_MIN_LENGTH,
    passwordChangeNeedsReauthentication: options.REAUTHENTICATE,
    siteUrl: options.SITE_URL,
    redirectAllowList: options.REDIRECT_ALLOW_LIST,
    linkPath: options.LINK_PATH,
    passkeys: passkeysOf(options, publicUrl),
    limits: {
      attemptsPerAddress: options.LIMIT_ATTEMPTS,
      refreshesPerAddress: options.LIMIT_REFRESHES,
      failuresPerAccount: options.LIMIT_FAILURES,
      factorGuessesPerNetwork: options.LIMIT_FAILURES,
      factorGuessesPerAccount: options.LIMIT_FAILURES,
      passwordsPerAccountAndAddress: options.LIMIT_FAILURES,
      passwordsPerAccount: options.LIMIT_FAILURES && fiveTimes(options.LIMIT_FAILURES),
      mailsPerAccount: options.LIMIT_MAILS,
      // An explicit limit replaces all three.
      mailsPerAccountAndHour: options.LIMIT_MAILS,
      mailsPerAccountAndDay: options.LIMIT_MAILS,
    },
  }
}

function fiveTimes({ tries, periodSeconds }: Limit): Limit {
  return { tries: 5 * tries, periodSeconds }
}

function passkeysOf(options: Options, publicUrl: string): RelyingParty | undefined {
  const id = options.PASSKEY_DOMAIN
  if (!id) return undefined
  const origins = options.PASSKEY_ORIGINS ?? [new URL(options.SITE_URL ?? publicUrl).origin]
  return { id, name: id, origins }
}

function messageSettings(options: Options, dataDir: string): MessageSettings {
  return {
    smtpUrl: options.SMTP_URL,
    mailFrom: options.MAIL_FROM,
    mailWebhookUrl: options.MAIL_WEBHOOK_URL,
    mailFile: options.MAIL_FILE ?? join(dataDir, 'mails.jsonl'),
  }
}
