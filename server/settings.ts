import { resolve } from 'node:path'
import { z } from 'zod'
import { WrongSettings } from '#backend/process/refusal.ts'
import { shop } from '#shop'
import { isLoopbackHost } from '#backend/http/loopback.ts'

export type PayfastMode = 'simulator' | 'sandbox' | 'live'

export interface PayfastSettings {
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
  dataDir: string
  /** null: an embedded PostgreSQL in the data folder. */
  databaseUrl: string | null
  /** Origin under which browsers reach the shop, without a slash at its end. */
  publicUrl: string
  /** null: mails are kept for the mailbox page. */
  smtpUrl: string | null
  mailFrom: string
  shopEmail: string
  payfast: PayfastSettings
  /** How many proxies in front add to `X-Forwarded-For`; 0 believes no such header. */
  trustProxy: number
  adminEmail: string
  /** A new account signs in only once its mailed link was followed; otherwise it is open at once. */
  confirmSignUps: boolean
  /** `POST /auth/v1/otp` and `/magiclink` sign in by mail. No page of the shop uses them. */
  mailSignIn: boolean
  /** Clients may send each other messages on live channels. No page of the shop does. */
  realtimeBroadcast: boolean
  /** Clients may see who else is on a live channel. No page of the shop does. */
  realtimePresence: boolean
  /** Further addresses that mailed links may lead to; `*` and `**` stand for anything. */
  redirectAllowList: string[]
  /** Where codes for phones are handed on; null: they stand in the mailbox, or phones cannot be factors. */
  phoneWebhookUrl: string | null
  /** Lets keys and tokens signed with it (HS256) in, beside the shop's own; null: no such are known. */
  legacySecret: string | null
  /** Only this machine reaches the shop: mailbox and payment simulator may answer (`server/development.ts`). */
  isLocal: boolean
  /** The payment simulator runs on a public address, on explicit request: every page warns. */
  givesOrdersAway: boolean
}

const PAYFAST_HOST = { live: 'https://www.payfast.co.za', sandbox: 'https://sandbox.payfast.co.za' }

/** The simulator's merchant is the one of PayFast's public examples; it is no secret and opens nothing. */
const SIMULATED_MERCHANT = { merchantId: '10000100', merchantKey: '46f0cd694581a' }

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value >= 1 && value <= 65_535)

const environment = z.object({
  PORT: port.default(3000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/)
    .optional(),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).nullable(),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform((value) => new URL(value))
    .refine((url) => url.pathname === '/' && !url.search && !url.hash && !url.username)
    .transform((url) => url.origin)
    .optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).nullable(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n<>]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/)
    .default(`${shop.name} <${shop.contact.email}>`),
  SHOP_EMAIL: z.email().default(shop.contact.email),
  PAYFAST_MODE: z.enum(['simulator', 'sandbox', 'live']).optional(),
  ALLOW_FREE_ORDERS_WITH_SIMULATOR: z.stringbool().default(false),
  PAYFAST_MERCHANT_ID: z
    .string()
    .regex(/^\d{1,8}$/)
    .optional(),
  PAYFAST_MERCHANT_KEY: z
    .string()
    .regex(/^[A-Za-z0-9]{1,13}$/)
    .optional(),
  PAYFAST_PASSPHRASE: z
    .string()
    .regex(/^[\w/-]{1,32}$/)
    .optional(),
  PAYFAST_PROCESS_URL: z.url({ protocol: /^https?$/ }).optional(),
  PAYFAST_VALIDATE_URL: z.url({ protocol: /^https?$/ }).optional(),
  TRUST_PROXY: z
    .stringbool()
    .transform(Number)
    .or(
      z
        .string()
        .regex(/^[2-9]$/)
        .transform(Number),
    )
    .default(0),
  CONFIRM_SIGN_UPS: z.stringbool().default(false),
  MAIL_SIGN_IN: z.stringbool().default(false),
  REALTIME_BROADCAST: z.stringbool().default(false),
  REALTIME_PRESENCE: z.stringbool().default(false),
  REDIRECT_ALLOW_LIST: z
    .string()
    .transform((text) => text.split(',').map((address) => address.trim()))
    .refine((addresses) => addresses.every((address) => /^https?:\/\/\S+$/.test(address)))
    .default([]),
  PHONE_WEBHOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
  JWT_SECRET: z.string().min(32).optional(),
  ADMIN_EMAIL: z.email().default(`admin@${shop.contact.email.split('@')[1]}`),
})

type Environment = z.infer<typeof environment>
type Name = keyof Environment

const NAMES = environment.keyof().options

const EXPECTED: Record<Name, string> = {
  PORT: 'a whole number from 1 to 65535',
  HOST: 'a host name or an address to listen on',
  DATA_DIR: 'a folder',
  DATABASE_URL: 'an address like postgresql://user:password@host:5432/database',
  PUBLIC_URL: 'an address without a path, like https://shop.example',
  SMTP_URL: 'an address like smtp://user:password@host:587',
  MAIL_FROM: 'an e-mail address, or a name and an address like Shop <shop@example.com>',
  SHOP_EMAIL: 'an e-mail address',
  PAYFAST_MODE: 'simulator, sandbox or live',
  ALLOW_FREE_ORDERS_WITH_SIMULATOR: 'true or false',
  PAYFAST_MERCHANT_ID: 'at most 8 digits',
  PAYFAST_MERCHANT_KEY: 'at most 13 letters and digits',
  PAYFAST_PASSPHRASE: 'at most 32 letters, digits, "-", "_" or "/"',
  PAYFAST_PROCESS_URL: 'a web address',
  PAYFAST_VALIDATE_URL: 'a web address',
  TRUST_PROXY: 'true, false, or the number of proxies in front (1 to 9)',
  CONFIRM_SIGN_UPS: 'true or false',
  MAIL_SIGN_IN: 'true or false',
  REALTIME_BROADCAST: 'true or false',
  REALTIME_PRESENCE: 'true or false',
  REDIRECT_ALLOW_LIST: 'web addresses with commas between them, like https://*.shop.example/**',
  PHONE_WEBHOOK_URL: 'a web address',
  JWT_SECRET: 'at least 32 characters',
  ADMIN_EMAIL: 'an e-mail address',
}

/** Not repeated in messages: they may hold a password. */
const SECRET: readonly string[] = [
  'DATABASE_URL',
  'SMTP_URL',
  'PAYFAST_MERCHANT_KEY',
  'PAYFAST_PASSPHRASE',
  'PHONE_WEBHOOK_URL',
  'JWT_SECRET',
] satisfies Name[]

export function parseSettings(env: NodeJS.ProcessEnv, projectFolder: string): Settings {
  const parsed = environment.safeParse(givenValues(env))
  if (!parsed.success) {
    const wrong = new Set(parsed.error.issues.map((issue) => String(issue.path[0])))
    const lines = NAMES.filter((name) => wrong.has(name)).map((name) => complaint(name, env[name] ?? ''))
    throw new WrongSettings(lines.join('\n'))
  }
  const given = parsed.data
  const publicUrl = given.PUBLIC_URL ?? `http://localhost:${given.PORT}`
  // Listening for other machines makes a shop public even if its own address was forgotten.
  const isLocal = isLoopbackHost(given.PUBLIC_URL || !given.HOST ? new URL(publicUrl).hostname : given.HOST)
  const payfast = payfastSettings(given, publicUrl, isLocal)
  if (payfast.mode === 'live') refuseEavesdropping(given)
  return {
    port: given.PORT,
    host: given.HOST ?? (isLocal ? '127.0.0.1' : '0.0.0.0'),
    dataDir: resolve(projectFolder, given.DATA_DIR),
    databaseUrl: given.DATABASE_URL,
    publicUrl,
    smtpUrl: given.SMTP_URL,
    mailFrom: given.MAIL_FROM,
    shopEmail: given.SHOP_EMAIL,
    payfast,
    trustProxy: given.TRUST_PROXY,
    adminEmail: given.ADMIN_EMAIL,
    confirmSignUps: given.CONFIRM_SIGN_UPS,
    mailSignIn: given.MAIL_SIGN_IN,
    realtimeBroadcast: given.REALTIME_BROADCAST,
    realtimePresence: given.REALTIME_PRESENCE,
    redirectAllowList: given.REDIRECT_ALLOW_LIST,
    phoneWebhookUrl: given.PHONE_WEBHOOK_URL ?? null,
    legacySecret: given.JWT_SECRET ?? null,
    isLocal,
    givesOrdersAway: payfast.mode === 'simulator' && !isLocal,
  }
}

/** The development server hands out source files, so it never runs where other machines can connect. */
export function requireThisMachine({ isLocal, host }: Settings): void {
  if (isLocal && isLoopbackHost(host)) return
  throw new WrongSettings(
    'npm run dev serves this machine only: leave PUBLIC_URL and HOST unset, or use npm start',
  )
}

/** An empty variable is an absent one: that is what `PORT= npm start` and most deployment tools mean. */
function givenValues(env: NodeJS.ProcessEnv): Record<string, string | null | undefined> {
  const given = NAMES.map((name) => [name, env[name]?.trim() || undefined] as const)
  const values: Record<string, string | null | undefined> = Object.fromEntries(given)
  return { ...values, DATABASE_URL: values.DATABASE_URL ?? null, SMTP_URL: values.SMTP_URL ?? null }
}

function complaint(name: Name, value: string): string {
  return `${name} must be ${EXPECTED[name]}${found(name, value)}`
}

function found(name: Name, value: string): string {
  return SECRET.includes(name) ? '' : `, not "${value}"`
}

function payfastSettings(given: Environment, publicUrl: string, isLocal: boolean): PayfastSettings {
  const mode = given.PAYFAST_MODE ?? (isLocal && !given.PAYFAST_MERCHANT_ID ? 'simulator' : undefined)
  if (!mode) {
    throw new WrongSettings(
      'PAYFAST_MODE must be chosen (simulator, sandbox or live): this is no shop on trial',
    )
  }
  if (mode === 'simulator' && !isLocal && !given.ALLOW_FREE_ORDERS_WITH_SIMULATOR) {
    throw new WrongSettings(
      'PAYFAST_MODE=simulator gives every order away free on an address that others reach: choose live or sandbox, or set ALLOW_FREE_ORDERS_WITH_SIMULATOR=true for a demonstration',
    )
  }
  const host = mode === 'simulator' ? `${publicUrl}/simulator` : PAYFAST_HOST[mode]
  const addresses = {
    processUrl: given.PAYFAST_PROCESS_URL ?? `${host}/eng/process`,
    validateUrl: given.PAYFAST_VALIDATE_URL ?? `${host}/eng/query/validate`,
  }
  const passphrase = given.PAYFAST_PASSPHRASE ?? null
  const merchantId = given.PAYFAST_MERCHANT_ID
  const merchantKey = given.PAYFAST_MERCHANT_KEY
  if (mode === 'simulator') {
    const merchant = {
      merchantId: merchantId ?? SIMULATED_MERCHANT.merchantId,
      merchantKey: merchantKey ?? SIMULATED_MERCHANT.merchantKey,
    }
    return { mode, ...merchant, passphrase, ...addresses }
  }

  if (!merchantId) throw new WrongSettings(`PAYFAST_MERCHANT_ID is needed when PAYFAST_MODE is ${mode}`)
  if (!merchantKey) throw new WrongSettings(`PAYFAST_MERCHANT_KEY is needed when PAYFAST_MODE is ${mode}`)
  if (mode === 'live') {
    if (merchantId === SIMULATED_MERCHANT.merchantId) {
      throw new WrongSettings(
        "PAYFAST_MERCHANT_ID is PayFast's public test merchant: a live shop needs its own",
      )
    }
    refuseUnsafeLive(passphrase, publicUrl)
  }
  return { mode, merchantId, merchantKey, passphrase, ...addresses }
}

function refuseUnsafeLive(passphrase: string | null, publicUrl: string): void {
  // Without it the signature of a notice proves nothing: anybody could compute it.
  if (!passphrase) throw new WrongSettings('PAYFAST_PASSPHRASE is needed when PAYFAST_MODE is live')
  if (!publicUrl.startsWith('https://')) {
    throw new WrongSettings(
      `PUBLIC_URL must be an https address when PAYFAST_MODE is live, not "${publicUrl}": PayFast sends its notices there`,
    )
  }
}

/** Over plain http, anyone on the network path could confirm forged notices or read codes for phones. */
function refuseEavesdropping(given: Environment): void {
  for (const name of ['PAYFAST_PROCESS_URL', 'PAYFAST_VALIDATE_URL', 'PHONE_WEBHOOK_URL'] as const) {
    const value = given[name]
    if (!value) continue
    const { protocol, hostname } = new URL(value)
    // A text gateway on this machine needs no encryption: its calls never leave the machine.
    const isNear = name === 'PHONE_WEBHOOK_URL' && isLoopbackHost(hostname)
    if (protocol === 'https:' || isNear) continue
    throw new WrongSettings(`${name} must be an https address when PAYFAST_MODE is live${found(name, value)}`)
  }
}
