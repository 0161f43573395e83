import { resolve } from 'node:path'
import { z } from 'zod'
import {
  InvalidSettings,
  isDatabaseUrl,
  isLoopbackHost,
  LOG_LEVELS,
  readS3Settings,
  s3Options,
  type S3Settings,
} from '@saltfreak/backend'
import { shop } from '#shop'
import { automaticProcesses } from './processes/automatic-processes.ts'

type PayfastMode = 'simulator' | 'sandbox' | 'live'

interface PayfastSettings {
  mode: PayfastMode
  merchantId: string
  merchantKey: string
  /** null: the account has none. The simulator then uses one derived from the shop's secret key. */
  passphrase: string | null
  processUrl: string
  validateUrl: string
}

export interface Settings {
  port: number
  host: string
  /** How many processes of this machine serve the shop. */
  processes: number
  /** `web` serves requests, `worker` runs jobs, and `all` does both. */
  role: (typeof ROLES)[number]
  dataDir: string
  /** The file that fills in missing settings; it may be absent. */
  settingsFile: string
  /** null: an embedded PostgreSQL in the data folder. */
  databaseUrl: string | null
  /** How many connections the process opens at most for requests and jobs. */
  connections: number
  /** Where files are stored; null: in the data folder. */
  s3: S3Settings | null
  /** Another process runs the embedded PostgreSQL (`npm run database`); this one must not start it. */
  usesSharedDatabase: boolean
  /** Origin at which browsers reach the shop, without a trailing slash. */
  publicUrl: string
  /** null: e-mails are stored for the mailbox page. */
  smtpUrl: string | null
  mailFrom: string
  /** Names the DKIM record, for the checks. */
  dkimSelector: string | null
  shopEmail: string
  payfast: PayfastSettings
  /** How many proxies in front append to `X-Forwarded-For`; 0 ignores the header. */
  trustProxy: number
  adminEmail: string
  /** How long `/readyz` answers 503 before the port closes. */
  stopDelayMs: number
  /** New accounts must open the link in their confirmation e-mail before they can sign in. */
  confirmSignUps: boolean
  /** Enables sign-in by e-mail (`POST /auth/v1/otp` and `/magiclink`). No page of the shop uses it. */
  mailSignIn: boolean
  /** Lets clients broadcast on realtime channels. No page of the shop does. */
  realtimeBroadcast: boolean
  /** Lets clients track presence on realtime channels. No page of the shop does. */
  realtimePresence: boolean
  /** Additional addresses that e-mail links may redirect to; `*` and `**` are wildcards. */
  redirectAllowList: string[]
  /** Receives codes for phones; null: codes appear in the mailbox, or phones cannot be factors. */
  phoneWebhookUrl: string | null
  /** Receives each alert as JSON; null: alerts go out by e-mail only. */
  alertUrl: string | null
  logLevel: (typeof LOG_LEVELS)[number]
  /** Lets programs on other machines read `/metrics`; null: this machine only. */
  metricsToken: string | null
  /** Also accepts keys and tokens signed with this secret (HS256); null: only the shop's own. */
  legacySecret: string | null
  /** Where backups are kept; null: nowhere. */
  backup: { folder: string; everyHours: number; passphrase: string | null } | null
  /** Only this machine can reach the shop: enables the mailbox and the payment simulator (`server/development.ts`). */
  isLocal: boolean
  /** The payment simulator runs on a public address, by explicit setting: every page warns. */
  givesOrdersAway: boolean
}

const ROLES = ['all', 'web', 'worker'] as const

const PAYFAST_HOST = { live: 'https://www.payfast.co.za', sandbox: 'https://sandbox.payfast.co.za' }

/** The merchant of PayFast's public examples; not a secret. */
const SIMULATED_MERCHANT = { merchantId: '10000100', merchantKey: '46f0cd694581a' }

/** A proxy that checks every second or two stops sending requests. */
const PROXY_STOP_DELAY_S = 3

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value >= 1 && value <= 65_535)

const flag = z.stringbool().default(false).describe('true or false')
const webAddress = z
  .url({ protocol: /^https?$/ })
  .optional()
  .describe('a web address')
const text = (pattern: RegExp, expected: string) => z.string().regex(pattern).optional().describe(expected)

/** A description follows "must be" in the message for a wrong value. */
const environment = z.object({
  PORT: port.default(3000).describe('a whole number from 1 to 65535'),
  HOST: text(/^[\w.:-]+$/, 'a host name or an address to listen on'),
  PROCESSES: z
    .literal('auto')
    .transform(automaticProcesses)
    .or(
      z
        .string()
        .regex(/^\d{1,2}$/)
        .transform(Number)
        .refine((value) => value >= 1 && value <= 64),
    )
    .default(1)
    .describe('auto, or a whole number from 1 to 64'),
  ROLE: z.enum(ROLES).default('all').describe('all, web or worker'),
  DATA_DIR: z.string().default('data').describe('a folder'),
  DATABASE_URL: z
    .string()
    .refine(isDatabaseUrl)
    .optional()
    .describe('an address like postgresql://user:password@host:5432/database'),
  DATABASE_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(10)
    .max(1000)
    .default(30)
    .describe('a whole number from 10 to 1000'),
  SHARED_DATABASE: flag,
  ...s3Options,
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform((value) => new URL(value))
    .refine((url) => url.pathname === '/' && !url.search && !url.hash && !url.username)
    .transform((url) => url.origin)
    .optional()
    .describe('an address without a path, like https://shop.example'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe('an address like smtp://user:password@host:587'),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n<>]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/)
    .default(`${shop.name} <${shop.contact.email}>`)
    .describe('an e-mail address, or a name and an address like Shop <shop@example.com>'),
  DKIM_SELECTOR: text(/^[\w.-]{1,63}$/, 'the name before ._domainkey, like mail or s1'),
  SHOP_EMAIL: z.email().default(shop.contact.email).describe('an e-mail address'),
  PAYFAST_MODE: z.enum(['simulator', 'sandbox', 'live']).optional().describe('simulator, sandbox or live'),
  ALLOW_FREE_ORDERS_WITH_SIMULATOR: flag,
  PAYFAST_MERCHANT_ID: text(/^\d{1,8}$/, 'at most 8 digits'),
  PAYFAST_MERCHANT_KEY: text(/^[A-Za-z0-9]{1,13}$/, 'at most 13 letters and digits'),
  PAYFAST_PASSPHRASE: text(/^[\w/-]{1,32}$/, 'at most 32 letters, digits, "-", "_" or "/"'),
  PAYFAST_PROCESS_URL: webAddress,
  PAYFAST_VALIDATE_URL: webAddress,
  TRUST_PROXY: z
    .stringbool()
    .transform(Number)
    .or(
      z
        .string()
        .regex(/^[2-9]$/)
        .transform(Number),
    )
    .default(0)
    .describe('true, false, or the number of proxies in front (1 to 9)'),
  STOP_DELAY: z.coerce.number().min(0).max(60).optional().describe('a number of seconds from 0 to 60'),
  CONFIRM_SIGN_UPS: flag,
  MAIL_SIGN_IN: flag,
  REALTIME_BROADCAST: flag,
  REALTIME_PRESENCE: flag,
  REDIRECT_ALLOW_LIST: z
    .string()
    .transform((list) => list.split(',').map((address) => address.trim()))
    .refine((addresses) => addresses.every((address) => /^https?:\/\/\S+$/.test(address)))
    .default([])
    .describe('web addresses with commas between them, like https://*.shop.example/**'),
  PHONE_WEBHOOK_URL: webAddress,
  ALERT_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.startsWith('https:') || isLoopbackHost(new URL(url).hostname))
    .optional()
    .describe('an https address, or one on this machine'),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info').describe('debug, info, warn or error'),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .regex(/^\S+$/)
    .optional()
    .describe('at least 16 characters without spaces'),
  JWT_SECRET: z.string().min(32).optional().describe('at least 32 characters'),
  BACKUP_TO: z.string().optional().describe('a folder'),
  BACKUP_EVERY: z.coerce
    .number()
    .int()
    .min(1)
    .max(168)
    .default(24)
    .describe('a number of hours from 1 to 168'),
  BACKUP_PASSPHRASE: z.string().min(12).optional().describe('at least 12 characters'),
  ADMIN_EMAIL: z
    .email()
    .default(`admin@${shop.contact.email.split('@')[1]}`)
    .describe('an e-mail address'),
})

type Environment = z.infer<typeof environment>
type Name = keyof Environment

const NAMES = environment.keyof().options

/** Values that error messages must not repeat, because they may contain a password. `<NAME>_FILE` names a file with the value. */
export const SECRET: readonly string[] = [
  'DATABASE_URL',
  'SMTP_URL',
  'PAYFAST_MERCHANT_KEY',
  'PAYFAST_PASSPHRASE',
  'PHONE_WEBHOOK_URL',
  'ALERT_URL',
  'METRICS_TOKEN',
  'JWT_SECRET',
  'BACKUP_PASSPHRASE',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
] satisfies Name[]

export function parseSettings(env: NodeJS.ProcessEnv, projectFolder: string): Settings {
  const parsed = environment.safeParse(environmentValues(env))
  if (!parsed.success) {
    const wrong = new Set(parsed.error.issues.map((issue) => String(issue.path[0])))
    const lines = NAMES.filter((name) => wrong.has(name)).map((name) => problemOf(name, env[name] ?? ''))
    throw new InvalidSettings(lines.join('\n'))
  }
  const values = parsed.data
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`
  // A shop that listens for other machines is public, even when PUBLIC_URL is not set.
  const isLocal = isLoopbackHost(
    values.PUBLIC_URL || !values.HOST ? new URL(publicUrl).hostname : values.HOST,
  )
  const payfast = payfastSettings(values, publicUrl, isLocal)
  if (payfast.mode === 'live') refuseEavesdropping(values)
  return {
    port: values.PORT,
    // Behind a proxy, an open port would let anyone forge X-Forwarded-For.
    host: values.HOST ?? (isLocal || values.TRUST_PROXY > 0 ? '127.0.0.1' : '0.0.0.0'),
    processes: values.PROCESSES,
    role: values.ROLE,
    dataDir: resolve(projectFolder, values.DATA_DIR),
    settingsFile: settingsFilePath(env, projectFolder),
    databaseUrl: values.DATABASE_URL ?? null,
    connections: values.DATABASE_CONNECTIONS,
    s3: readS3Settings(values),
    usesSharedDatabase: values.SHARED_DATABASE,
    publicUrl,
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM,
    dkimSelector: values.DKIM_SELECTOR ?? null,
    shopEmail: values.SHOP_EMAIL,
    payfast,
    trustProxy: values.TRUST_PROXY,
    adminEmail: values.ADMIN_EMAIL,
    stopDelayMs: 1000 * (values.STOP_DELAY ?? (values.TRUST_PROXY ? PROXY_STOP_DELAY_S : 0)),
    confirmSignUps: values.CONFIRM_SIGN_UPS,
    mailSignIn: values.MAIL_SIGN_IN,
    realtimeBroadcast: values.REALTIME_BROADCAST,
    realtimePresence: values.REALTIME_PRESENCE,
    redirectAllowList: values.REDIRECT_ALLOW_LIST,
    phoneWebhookUrl: values.PHONE_WEBHOOK_URL ?? null,
    alertUrl: values.ALERT_URL ?? null,
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN ?? null,
    legacySecret: values.JWT_SECRET ?? null,
    backup: values.BACKUP_TO
      ? {
          folder: resolve(projectFolder, values.BACKUP_TO),
          everyHours: values.BACKUP_EVERY,
          passphrase: values.BACKUP_PASSPHRASE ?? null,
        }
      : null,
    isLocal,
    givesOrdersAway: payfast.mode === 'simulator' && !isLocal,
  }
}

/** Returns the path of `.env`, or of the file named by `ENV_FILE`. */
export function settingsFilePath(env: NodeJS.ProcessEnv, projectFolder: string): string {
  return resolve(projectFolder, env.ENV_FILE || '.env')
}

/** Returns the settings that are in force: what a backup keeps, so that a new machine can be set up alike. */
export function environmentToKeep(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = NAMES.filter((name) => name !== 'BACKUP_PASSPHRASE' && env[name])
  return Object.fromEntries(kept.map((name) => [name, env[name] ?? '']))
}

/** Returns the settings of a restored copy: no mail leaves it, no text message, and payments are simulated. */
export function settingsOfCopy(settings: Settings): Settings {
  const { publicUrl } = settings
  return {
    ...settings,
    smtpUrl: null,
    phoneWebhookUrl: null,
    alertUrl: null,
    backup: null,
    // The copy has its own files: in the bucket, it would delete those of the shop.
    s3: null,
    payfast: {
      mode: 'simulator',
      ...SIMULATED_MERCHANT,
      passphrase: null,
      processUrl: `${publicUrl}/simulator/eng/process`,
      validateUrl: `${publicUrl}/simulator/eng/query/validate`,
    },
  }
}

/** The development server serves source files: throws when other machines could connect. */
export function requireLocalShop({ isLocal, host }: Settings): void {
  if (isLocal && isLoopbackHost(host)) return
  throw new InvalidSettings(
    'npm run dev serves this machine only: leave PUBLIC_URL and HOST unset, or use npm start',
  )
}

/** Treats an empty variable as absent, as `PORT= npm start` and most deployment tools do. */
function environmentValues(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  return Object.fromEntries(NAMES.map((name) => [name, env[name]?.trim() || undefined]))
}

function problemOf(name: Name, value: string): string {
  return `${name} must be ${environment.shape[name].description}${actualValue(name, value)}`
}

function actualValue(name: Name, value: string): string {
  return SECRET.includes(name) ? '' : `, not "${value}"`
}

function payfastSettings(values: Environment, publicUrl: string, isLocal: boolean): PayfastSettings {
  const mode = values.PAYFAST_MODE ?? (isLocal && !values.PAYFAST_MERCHANT_ID ? 'simulator' : undefined)
  if (!mode) {
    throw new InvalidSettings(
      'PAYFAST_MODE must be simulator, sandbox or live: only a local shop without a merchant id may omit it',
    )
  }
  if (mode === 'simulator' && !isLocal && !values.ALLOW_FREE_ORDERS_WITH_SIMULATOR) {
    throw new InvalidSettings(
      'PAYFAST_MODE=simulator gives every order away free on a public address: choose live or sandbox, or set ALLOW_FREE_ORDERS_WITH_SIMULATOR=true for a demonstration',
    )
  }
  const host = mode === 'simulator' ? `${publicUrl}/simulator` : PAYFAST_HOST[mode]
  const addresses = {
    processUrl: values.PAYFAST_PROCESS_URL ?? `${host}/eng/process`,
    validateUrl: values.PAYFAST_VALIDATE_URL ?? `${host}/eng/query/validate`,
  }
  const passphrase = values.PAYFAST_PASSPHRASE ?? null
  const merchantId = values.PAYFAST_MERCHANT_ID
  const merchantKey = values.PAYFAST_MERCHANT_KEY
  if (mode === 'simulator') {
    const merchant = {
      merchantId: merchantId ?? SIMULATED_MERCHANT.merchantId,
      merchantKey: merchantKey ?? SIMULATED_MERCHANT.merchantKey,
    }
    return { mode, ...merchant, passphrase, ...addresses }
  }

  if (!merchantId) throw new InvalidSettings(`PAYFAST_MERCHANT_ID is needed when PAYFAST_MODE is ${mode}`)
  if (!merchantKey) throw new InvalidSettings(`PAYFAST_MERCHANT_KEY is needed when PAYFAST_MODE is ${mode}`)
  if (mode === 'live') {
    if (merchantId === SIMULATED_MERCHANT.merchantId) {
      throw new InvalidSettings(
        "PAYFAST_MERCHANT_ID is PayFast's public test merchant: a live shop needs its own",
      )
    }
    refuseUnsafeLive(passphrase, publicUrl)
  }
  return { mode, merchantId, merchantKey, passphrase, ...addresses }
}

function refuseUnsafeLive(passphrase: string | null, publicUrl: string): void {
  // Without a passphrase, anyone can compute the signature of a notice.
  if (!passphrase) throw new InvalidSettings('PAYFAST_PASSPHRASE is needed when PAYFAST_MODE is live')
  if (!publicUrl.startsWith('https://')) {
    throw new InvalidSettings(
      `PUBLIC_URL must be an https address when PAYFAST_MODE is live, not "${publicUrl}": PayFast sends its notices there`,
    )
  }
}

/** Over plain http, anyone on the network path could confirm forged notices or read codes for phones. */
function refuseEavesdropping(values: Environment): void {
  for (const name of ['PAYFAST_PROCESS_URL', 'PAYFAST_VALIDATE_URL', 'PHONE_WEBHOOK_URL'] as const) {
    const value = values[name]
    if (!value) continue
    const { protocol, hostname } = new URL(value)
    // Calls to a text gateway on this machine never leave it, so they need no encryption.
    const isLocalGateway = name === 'PHONE_WEBHOOK_URL' && isLoopbackHost(hostname)
    if (protocol === 'https:' || isLocalGateway) continue
    throw new InvalidSettings(
      `${name} must be an https address when PAYFAST_MODE is live${actualValue(name, value)}`,
    )
  }
}
