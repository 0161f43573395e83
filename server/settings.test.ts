import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { InvalidSettings } from '@saltfreak/backend'
import { parseSettings, requireLocalShop, settingsOfCopy } from './settings.ts'

const settings = (env: NodeJS.ProcessEnv = {}) => parseSettings(env, '/srv/shop')

const simulator = { PAYFAST_MODE: 'simulator', ALLOW_FREE_ORDERS_WITH_SIMULATOR: 'true' }

const live = {
  PUBLIC_URL: 'https://shop.example',
  PAYFAST_MODE: 'live',
  PAYFAST_MERCHANT_ID: '10012345',
  PAYFAST_MERCHANT_KEY: 'abcdef0123456',
  PAYFAST_PASSPHRASE: 'a-long_pass/phrase',
}

const amazon = {
  S3_BUCKET: 'shop-files',
  AWS_REGION: 'af-south-1',
  AWS_ACCESS_KEY_ID: 'AKIA1',
  AWS_SECRET_ACCESS_KEY: 'secret',
}

describe('settings', () => {
  it('starts a local shop with simulated payments by default', () => {
    expect(settings()).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: '/srv/shop/data',
      databaseUrl: null,
      publicUrl: 'http://localhost:3000',
      smtpUrl: null,
      adminEmail: 'admin@saltfreak.example',
      isLocal: true,
      trustProxy: 0,
      payfast: {
        mode: 'simulator',
        processUrl: 'http://localhost:3000/simulator/eng/process',
        validateUrl: 'http://localhost:3000/simulator/eng/query/validate',
      },
    })
  })

  it('treats an empty environment variable as absent', () => {
    expect(settings({ PORT: '', DATABASE_URL: ' ', PUBLIC_URL: '' })).toEqual(settings())
  })

  it('sends buyers of a live shop to PayFast', () => {
    const { payfast, isLocal, host } = settings(live)

    expect(payfast).toEqual({
      mode: 'live',
      merchantId: '10012345',
      merchantKey: 'abcdef0123456',
      passphrase: 'a-long_pass/phrase',
      processUrl: 'https://www.payfast.co.za/eng/process',
      validateUrl: 'https://www.payfast.co.za/eng/query/validate',
    })
    expect({ isLocal, host }).toEqual({ isLocal: false, host: '0.0.0.0' })
  })

  it.each([
    ['true', 1],
    ['1', 1],
    ['2', 2],
    ['false', 0],
    ['0', 0],
  ])('reads TRUST_PROXY=%s as %i trusted proxies', (value, hops) => {
    expect(settings({ TRUST_PROXY: value }).trustProxy).toBe(hops)
  })

  it('runs one process, a given number, or at most one for each core', () => {
    expect(settings().processes).toBe(1)
    expect(settings({ PROCESSES: '3' }).processes).toBe(3)
    const { processes } = settings({ PROCESSES: 'auto' })
    expect(processes).toBeGreaterThanOrEqual(1)
    expect(processes).toBeLessThanOrEqual(availableParallelism())
  })

  it.each([
    [{ TRUST_PROXY: 'true' }, '127.0.0.1'],
    [{ TRUST_PROXY: 'true', HOST: '0.0.0.0' }, '0.0.0.0'],
    [{}, '0.0.0.0'],
  ])('listens with %o behind a public address on %s', (env, host) => {
    expect(settings({ ...live, ...env }).host).toBe(host)
  })

  it.each([
    [{ PUBLIC_URL: 'http://127.0.0.1:8080/' }, 'http://127.0.0.1:8080', true],
    [{ PUBLIC_URL: 'http://[::1]:8080' }, 'http://[::1]:8080', true],
    [{ PUBLIC_URL: 'http://localhost:3000', HOST: '0.0.0.0' }, 'http://localhost:3000', true],
    [{ HOST: '::1' }, 'http://localhost:3000', true],
    [{ HOST: '0.0.0.0', ...simulator }, 'http://localhost:3000', false],
    [{ PUBLIC_URL: 'http://127.evil.example', ...simulator }, 'http://127.evil.example', false],
    [{ PUBLIC_URL: 'http://localhost.evil.example', ...simulator }, 'http://localhost.evil.example', false],
  ])('detects whether a shop with the settings %o is local', (env, publicUrl, isLocal) => {
    expect(settings(env)).toMatchObject({ publicUrl, isLocal })
  })

  it('stores files in the bucket of Amazon that the settings name', () => {
    expect(settings(amazon).s3).toEqual({
      bucket: 'shop-files',
      region: 'af-south-1',
      endpoint: null,
      usesPathStyle: false,
      accessKeyId: 'AKIA1',
      secretAccessKey: 'secret',
      publicFiles: 'proxy',
      publicUrl: null,
    })
  })

  it('uses temporary credentials of Amazon with their session token', () => {
    expect(settings({ ...amazon, AWS_SESSION_TOKEN: 'temporary' }).s3?.sessionToken).toBe('temporary')
  })

  it.each(['S3_ENDPOINT', 'AWS_ENDPOINT_URL_S3'])('stores files on the S3 server of %s', (name) => {
    expect(settings({ ...amazon, AWS_REGION: '', [name]: 'https://s3.example' }).s3).toMatchObject({
      region: 'us-east-1',
      endpoint: 'https://s3.example',
      usesPathStyle: true,
    })
  })

  it('keeps files in the data folder while only settings of other Amazon programs are there', () => {
    expect(settings({ ...amazon, S3_BUCKET: '' }).s3).toBeNull()
  })

  it('makes no backups of a restored copy, which would remove those of the shop', () => {
    const original = settings({ BACKUP_TO: '/backups' })

    expect(original.backup).toMatchObject({ folder: '/backups' })
    expect(settingsOfCopy(original).backup).toBeNull()
  })

  it('lets a restored copy send nothing and take no money', () => {
    const original = settings({
      ...live,
      SMTP_URL: 'smtps://shop:secret@mail.example',
      PHONE_WEBHOOK_URL: 'https://texts.example',
      ALERT_URL: 'https://alerts.example',
    })

    expect(settingsOfCopy(original)).toMatchObject({
      smtpUrl: null,
      phoneWebhookUrl: null,
      alertUrl: null,
      payfast: {
        mode: 'simulator',
        merchantId: '10000100',
        processUrl: 'https://shop.example/simulator/eng/process',
        validateUrl: 'https://shop.example/simulator/eng/query/validate',
      },
    })
  })

  it('makes a backup every day, in a folder beside the shop, unless told otherwise', () => {
    expect(settings().backup).toBeNull()
    expect(settings({ BACKUP_TO: 'backups' }).backup).toEqual({
      folder: '/srv/shop/backups',
      everyHours: 24,
      passphrase: null,
    })
    expect(settings({ BACKUP_TO: '/mnt/usb', BACKUP_EVERY: '6' }).backup).toMatchObject({ everyHours: 6 })
  })

  it('stops three seconds after its announcement behind a proxy, at once without one, or as told', () => {
    expect(settings({ TRUST_PROXY: 'true' }).stopDelayMs).toBe(3000)
    expect(settings().stopDelayMs).toBe(0)
    expect(settings({ TRUST_PROXY: 'true', STOP_DELAY: '1.5' }).stopDelayMs).toBe(1500)
  })

  it('keeps closed by default what no page of the shop uses', () => {
    expect(settings()).toMatchObject({
      mailSignIn: false,
      realtimeBroadcast: false,
      realtimePresence: false,
      redirectAllowList: [],
      legacySecret: null,
      metricsToken: null,
    })
  })

  it('reads a list of addresses that e-mail links may lead to', () => {
    const REDIRECT_ALLOW_LIST = 'https://app.example/**, https://*.shop.example/**'

    expect(settings({ REDIRECT_ALLOW_LIST }).redirectAllowList).toEqual([
      'https://app.example/**',
      'https://*.shop.example/**',
    ])
  })

  it('keeps the files of a restored copy out of the bucket, where it would delete those of the shop', () => {
    expect(settingsOfCopy(settings(amazon)).s3).toBeNull()
  })

  it.each([
    [{ PORT: 'eighty' }, 'PORT must be a whole number from 1 to 65535, not "eighty"'],
    [{ PORT: '65536' }, 'PORT must be a whole number from 1 to 65535, not "65536"'],
    [{ PORT: '0' }, 'PORT must be a whole number from 1 to 65535, not "0"'],
    [{ PROCESSES: '0' }, 'PROCESSES must be auto, or a whole number from 1 to 64, not "0"'],
    [{ PROCESSES: 'all' }, 'PROCESSES must be auto, or a whole number from 1 to 64, not "all"'],
    [{ ROLE: 'jobs' }, 'ROLE must be all, web or worker, not "jobs"'],
    [{ HOST: 'a b' }, 'HOST must be a host name or an address to listen on, not "a b"'],
    [
      { DATABASE_URL: 'mysql://me:secret@host/db' },
      'DATABASE_URL must be an address like postgresql://user:password@host:5432/database',
    ],
    [
      { PUBLIC_URL: 'https://shop.example/lures' },
      'PUBLIC_URL must be an address without a path, like https://shop.example, not "https://shop.example/lures"',
    ],
    [
      { PUBLIC_URL: 'shop.example' },
      'PUBLIC_URL must be an address without a path, like https://shop.example, not "shop.example"',
    ],
    [{ SMTP_URL: 'http://me:secret@host' }, 'SMTP_URL must be an address like smtp://user:password@host:587'],
    [
      { MAIL_FROM: 'nobody' },
      'MAIL_FROM must be an e-mail address, or a name and an address like Shop <shop@example.com>, not "nobody"',
    ],
    [
      { MAIL_FROM: 'Shop\r\nBcc: all@example.com <shop@example.com>' },
      'MAIL_FROM must be an e-mail address, or a name and an address like Shop <shop@example.com>, not "Shop\r\nBcc: all@example.com <shop@example.com>"',
    ],
    [{ JWT_SECRET: 's'.repeat(31) }, 'JWT_SECRET must be at least 32 characters'],
    [
      { ALERT_URL: 'http://hooks.example?key=secret' },
      'ALERT_URL must be an https address, or one on this machine',
    ],
    [{ BACKUP_PASSPHRASE: 'p'.repeat(11) }, 'BACKUP_PASSPHRASE must be at least 12 characters'],
    [{ BACKUP_EVERY: '0' }, 'BACKUP_EVERY must be a number of hours from 1 to 168, not "0"'],
    [
      { REDIRECT_ALLOW_LIST: 'javascript:alert(1)' },
      'REDIRECT_ALLOW_LIST must be web addresses with commas between them, like https://*.shop.example/**, not "javascript:alert(1)"',
    ],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must be at least 16 characters without spaces'],
    [{ PHONE_WEBHOOK_URL: 'texts.example?key=secret' }, 'PHONE_WEBHOOK_URL must be a web address'],
    [{ SHOP_EMAIL: 'at home' }, 'SHOP_EMAIL must be an e-mail address, not "at home"'],
    [{ ADMIN_EMAIL: 'me' }, 'ADMIN_EMAIL must be an e-mail address, not "me"'],
    [{ PAYFAST_MODE: 'test' }, 'PAYFAST_MODE must be simulator, sandbox or live, not "test"'],
    [{ PAYFAST_MERCHANT_ID: '12a' }, 'PAYFAST_MERCHANT_ID must be at most 8 digits, not "12a"'],
    [{ PAYFAST_MERCHANT_KEY: 'a b' }, 'PAYFAST_MERCHANT_KEY must be at most 13 letters and digits'],
    [
      { PAYFAST_PASSPHRASE: 'p'.repeat(33) },
      'PAYFAST_PASSPHRASE must be at most 32 letters, digits, "-", "_" or "/"',
    ],
    [{ PAYFAST_PROCESS_URL: 'ftp://x' }, 'PAYFAST_PROCESS_URL must be a web address, not "ftp://x"'],
    [{ PAYFAST_VALIDATE_URL: 'x' }, 'PAYFAST_VALIDATE_URL must be a web address, not "x"'],
    [
      { TRUST_PROXY: 'nginx' },
      'TRUST_PROXY must be true, false, or the number of proxies in front (1 to 9), not "nginx"',
    ],
    [{ ...amazon, S3_BUCKET: 'Shop files' }, 'S3_BUCKET must be the name of a bucket, not "Shop files"'],
    [{ ...amazon, AWS_SECRET_ACCESS_KEY: '' }, 'S3_BUCKET needs AWS_SECRET_ACCESS_KEY as well'],
    [
      { S3_BUCKET: 'shop-files' },
      'S3_BUCKET needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY and AWS_REGION as well',
    ],
    [
      { S3_ENDPOINT: 'https://s3.example' },
      'S3_ENDPOINT is set, but S3_BUCKET is not: name the bucket, or unset S3_ENDPOINT',
    ],
    [
      { ...amazon, S3_PUBLIC_FILES: 'direct' },
      'S3_PUBLIC_FILES must be proxy, redirect or signed, not "direct"',
    ],
    [
      { ...amazon, S3_PUBLIC_URL: 'https://cdn.example' },
      'S3_PUBLIC_URL needs S3_PUBLIC_FILES=redirect, not "proxy"',
    ],
    [
      { PORT: 'x', ADMIN_EMAIL: 'y' },
      'PORT must be a whole number from 1 to 65535, not "x"\nADMIN_EMAIL must be an e-mail address, not "y"',
    ],
    [
      { PUBLIC_URL: 'https://shop.example' },
      'PAYFAST_MODE must be simulator, sandbox or live: only a local shop without a merchant id may omit it',
    ],
    [
      { PAYFAST_MERCHANT_ID: '10012345' },
      'PAYFAST_MODE must be simulator, sandbox or live: only a local shop without a merchant id may omit it',
    ],
    [{ ...live, PAYFAST_MERCHANT_ID: '' }, 'PAYFAST_MERCHANT_ID is needed when PAYFAST_MODE is live'],
    [{ PAYFAST_MODE: 'sandbox' }, 'PAYFAST_MERCHANT_ID is needed when PAYFAST_MODE is sandbox'],
    [
      { PAYFAST_MODE: 'sandbox', PAYFAST_MERCHANT_ID: '1' },
      'PAYFAST_MERCHANT_KEY is needed when PAYFAST_MODE is sandbox',
    ],
    [
      { ...live, PAYFAST_MERCHANT_ID: '10000100' },
      "PAYFAST_MERCHANT_ID is PayFast's public test merchant: a live shop needs its own",
    ],
    [{ ...live, PAYFAST_PASSPHRASE: '' }, 'PAYFAST_PASSPHRASE is needed when PAYFAST_MODE is live'],
    [
      { ...live, PUBLIC_URL: 'http://shop.example' },
      'PUBLIC_URL must be an https address when PAYFAST_MODE is live, not "http://shop.example": PayFast sends its notices there',
    ],
  ])('explains the error in the settings %o', (env, line) => {
    expect(() => settings(env)).toThrow(new InvalidSettings(line))
  })
})

describe('the development server', () => {
  it('starts the development server with the default local settings', () => {
    expect(() => requireLocalShop(settings())).not.toThrow()
  })

  it.each([
    {
      PUBLIC_URL: 'https://shop.example',
      PAYFAST_MODE: 'simulator',
      ALLOW_FREE_ORDERS_WITH_SIMULATOR: 'true',
    },
    { PUBLIC_URL: 'http://localhost:3000', HOST: '0.0.0.0' },
  ])('does not start the development server with settings that let other machines connect: %o', (env) => {
    expect(() => requireLocalShop(settings(env))).toThrow(
      new InvalidSettings(
        'npm run dev serves this machine only: leave PUBLIC_URL and HOST unset, or use npm start',
      ),
    )
  })
})
