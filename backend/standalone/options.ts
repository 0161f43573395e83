import { z } from 'zod'

/** Everything that can be set, by the name of its environment variable; `--flag-name` says the same. */
const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value >= 1 && value <= 65_535)

const origin = z
  .url({ protocol: /^https?$/ })
  .transform((value) => new URL(value))
  .refine((url) => url.pathname === '/' && !url.search && !url.hash && !url.username)
  .transform((url) => url.origin)

const webAddress = z.url({ protocol: /^https?$/ })

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

const count = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)

/** `300/300`: so many tries in so many seconds. */
const limit = z
  .string()
  .regex(/^[1-9]\d{0,8}\/[1-9]\d{0,8}$/)
  .transform((text) => {
    const [tries = 0, periodSeconds = 0] = text.split('/').map(Number)
    return { tries, periodSeconds }
  })

const key = (prefix: string) => z.string().regex(new RegExp(`^${prefix}[\\w-]{16,}$`))

const flag = z.stringbool()

export const optionsSchema = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  PORT: port.default(54_321),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/)
    .default('127.0.0.1'),
  PUBLIC_URL: origin.optional(),
  DATA_DIR: z.string().default('data/backend'),
  TRUST_PROXY: z.string().regex(/^\d$/).transform(Number).default(0),

  PUBLISHABLE_KEY: key('sb_publishable_').optional(),
  SECRET_KEY: key('sb_secret_').optional(),
  JWT_SECRET: z.string().min(32).optional(),
  TOKEN_LIFETIME: count.optional(),
  REQUIRE_KEY: flag.default(true),

  SCHEMAS: list.pipe(z.tuple([z.string()], z.string())).default(['public']),
  EXTRA_SEARCH_PATH: list.default(['public', 'extensions']),
  MAX_ROWS: count.default(1000),
  MAX_BODY_BYTES: count.optional(),
  STATEMENT_TIMEOUT: count.optional(),
  ALLOW_ROLLBACK: flag.default(false),

  SIGN_UP: flag.optional(),
  AUTOCONFIRM: flag.optional(),
  PASSWORD_MIN_LENGTH: count.optional(),
  REAUTHENTICATE: flag.optional(),
  SITE_URL: webAddress.optional(),
  REDIRECT_ALLOW_LIST: list.optional(),
  LINK_PATH: z.enum(['confirm', 'verify']).optional(),
  PASSKEY_DOMAIN: z
    .string()
    .regex(/^[\w.-]+$/)
    .optional(),
  PASSKEY_ORIGINS: list.optional(),

  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default('Accounts <accounts@localhost>'),
  MAIL_WEBHOOK_URL: webAddress.optional(),
  MAIL_FILE: z.string().optional(),
  PHONE_WEBHOOK_URL: webAddress.optional(),

  LIMIT_ATTEMPTS: limit.optional(),
  LIMIT_REFRESHES: limit.optional(),
  LIMIT_FAILURES: limit.optional(),
  LIMIT_MAILS: limit.optional(),

  MAX_FILE_BYTES: count.optional(),
  FUNCTIONS_DIR: z.string().optional(),
  MAX_FUNCTION_BODY_BYTES: count.optional(),
})

export type Options = z.infer<typeof optionsSchema>
export type OptionName = keyof Options

interface Explained {
  group: string
  expects: string
  says: string
  isSwitch?: boolean
  /** Not repeated in messages. */
  isSecret?: boolean
}

const process = 'The process'
const keys = 'Keys and tokens'
const rest = 'Data'
const accounts = 'Accounts'
const messages = 'Mails and texts'
const limits = 'Limits, as tries/seconds'
const files = 'Files and functions'

export const EXPLAINED: Record<OptionName, Explained> = {
  DATABASE_URL: {
    group: process,
    expects: 'an address like postgresql://user:password@host:5432/database',
    says: 'the PostgreSQL to serve, 15 or newer; its user is a superuser, or has CREATEROLE and BYPASSRLS',
    isSecret: true,
  },
  PORT: { group: process, expects: 'a whole number from 1 to 65535', says: 'where to listen (54321)' },
  HOST: { group: process, expects: 'a host name or an address', says: 'on which address (127.0.0.1)' },
  PUBLIC_URL: {
    group: process,
    expects: 'an address without a path, like https://api.example',
    says: 'where clients reach it (http://localhost:PORT)',
  },
  DATA_DIR: { group: process, expects: 'a folder', says: 'keeps files (data/backend)' },
  TRUST_PROXY: {
    group: process,
    expects: 'a number from 0 to 9',
    says: 'how many proxies in front write X-Forwarded-For (0)',
  },

  PUBLISHABLE_KEY: {
    group: keys,
    expects: 'sb_publishable_ and at least 16 letters, digits, - or _',
    says: 'for browsers; made and kept in the database if not given',
  },
  SECRET_KEY: {
    group: keys,
    expects: 'sb_secret_ and at least 16 letters, digits, - or _',
    says: 'for servers, passes every policy; likewise',
    isSecret: true,
  },
  JWT_SECRET: {
    group: keys,
    expects: 'at least 32 characters',
    says: 'lets keys (anon, service_role) and tokens signed with it (HS256) in as well',
    isSecret: true,
  },
  TOKEN_LIFETIME: { group: keys, expects: 'a number of seconds', says: 'of access tokens (3600)' },
  REQUIRE_KEY: {
    group: keys,
    expects: 'true or false',
    says: 'refuse requests without a key; otherwise they are a visitor’s (true)',
    isSwitch: true,
  },

  SCHEMAS: {
    group: rest,
    expects: 'names with commas',
    says: 'served schemas; the first is the default (public)',
  },
  EXTRA_SEARCH_PATH: {
    group: rest,
    expects: 'names with commas',
    says: 'schemas used without naming them (public,extensions)',
  },
  MAX_ROWS: { group: rest, expects: 'a whole number', says: 'that one answer holds at most (1000)' },
  MAX_BODY_BYTES: { group: rest, expects: 'a number of bytes', says: 'of one request (1048576)' },
  STATEMENT_TIMEOUT: {
    group: rest,
    expects: 'a number of milliseconds',
    says: 'for every statement; without it the settings of the roles hold (anon 3 s, authenticated 8 s)',
  },
  ALLOW_ROLLBACK: {
    group: rest,
    expects: 'true or false',
    says: 'honour Prefer: tx=rollback',
    isSwitch: true,
  },

  SIGN_UP: {
    group: accounts,
    expects: 'true or false',
    says: 'anybody may make an account (true)',
    isSwitch: true,
  },
  AUTOCONFIRM: {
    group: accounts,
    expects: 'true or false',
    says: 'addresses count as confirmed at once; otherwise by mail (true)',
    isSwitch: true,
  },
  PASSWORD_MIN_LENGTH: { group: accounts, expects: 'a whole number', says: 'of new passwords (6)' },
  REAUTHENTICATE: {
    group: accounts,
    expects: 'true or false',
    says: 'a new password needs a mailed code, or the old one, a day after signing in (false)',
    isSwitch: true,
  },
  SITE_URL: { group: accounts, expects: 'a web address', says: 'where mailed links lead (PUBLIC_URL)' },
  REDIRECT_ALLOW_LIST: {
    group: accounts,
    expects: 'addresses with commas',
    says: 'where else they may lead; * and ** stand for anything',
  },
  LINK_PATH: {
    group: accounts,
    expects: 'confirm or verify',
    says: 'what mailed links open: a page with a button, or the deed itself (confirm)',
  },
  PASSKEY_DOMAIN: {
    group: accounts,
    expects: 'a domain',
    says: 'passkeys are made for; without it there are none',
  },
  PASSKEY_ORIGINS: {
    group: accounts,
    expects: 'addresses with commas',
    says: 'pages that may use them (the origin of SITE_URL)',
  },

  SMTP_URL: {
    group: messages,
    expects: 'an address like smtp://user:password@host:587',
    says: 'the mail server',
    isSecret: true,
  },
  MAIL_FROM: {
    group: messages,
    expects: 'a name and an address',
    says: 'the sender (Accounts <accounts@localhost>)',
  },
  MAIL_WEBHOOK_URL: {
    group: messages,
    expects: 'a web address',
    says: 'gets { kind, to, user_id, code, link } by POST instead of a mail server',
    isSecret: true,
  },
  MAIL_FILE: {
    group: messages,
    expects: 'a file',
    says: 'gets a line of JSON for each mail when neither is given (DATA_DIR/mails.jsonl)',
  },
  PHONE_WEBHOOK_URL: {
    group: messages,
    expects: 'a web address',
    says: 'gets { to, channel, code } by POST; without it phones cannot be factors',
    isSecret: true,
  },

  LIMIT_ATTEMPTS: {
    group: limits,
    expects: 'tries/seconds, like 300/300',
    says: 'sign-ins and sign-ups of an address (300/300)',
  },
  LIMIT_REFRESHES: {
    group: limits,
    expects: 'tries/seconds, like 900/300',
    says: 'refreshes of an address (900/300)',
  },
  LIMIT_FAILURES: {
    group: limits,
    expects: 'tries/seconds, like 20/300',
    says: 'wrong codes of an account, and wrong passwords of an account from one address (20/300, 20/3600)',
  },
  LIMIT_MAILS: {
    group: limits,
    expects: 'tries/seconds, like 1/60',
    says: 'mails of a kind to an address (1/60)',
  },

  MAX_FILE_BYTES: { group: files, expects: 'a number of bytes', says: 'of one upload (104857600)' },
  MAX_FUNCTION_BODY_BYTES: {
    group: files,
    expects: 'a number of bytes',
    says: 'of one call of a function (1048576)',
  },
  FUNCTIONS_DIR: {
    group: files,
    expects: 'a folder',
    says: 'its NAME/index.ts or .js exports a default (request, { caller, database, publicUrl }) => Response',
  },
}
