import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { InvalidSettings } from '@saltfreak/backend'
import { loadEnvironment } from './environment.ts'
import { environmentToKeep, parseSettings } from './settings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'environment-'))
  await writeFile(join(folder, 'passphrase'), 'salt-water-42\n')
  await writeFile(join(folder, 'empty'), '\n')
})
beforeEach(() => rm(join(folder, '.env'), { force: true }))
afterAll(() => rm(folder, { recursive: true, force: true }))

const load = (env: NodeJS.ProcessEnv = {}) => loadEnvironment(env, folder)
const writeSettings = (...lines: string[]) => writeFile(join(folder, '.env'), `${lines.join('\n')}\n`)

it('reads settings from .env in the project folder, and lets the environment win', async () => {
  await writeSettings('# The shop', 'PORT=4000', 'SHOP_EMAIL="hello@shop.example"')

  expect(parseSettings(load({ PORT: '5000' }), folder)).toMatchObject({
    port: 5000,
    shopEmail: 'hello@shop.example',
  })
})

it('starts without a .env file', () => {
  expect(load({ PORT: '5000' })).toEqual({ PORT: '5000' })
})

it.each([
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
])('reads %s from the file that %s_FILE names, without the line end', (name) => {
  expect(load({ [`${name}_FILE`]: join(folder, 'passphrase') })[name]).toBe('salt-water-42')
})

it('reads the file of a secret relative to the project folder, also when .env names it', async () => {
  await writeSettings('BACKUP_TO=/mnt/backups', 'BACKUP_PASSPHRASE_FILE=passphrase')

  expect(parseSettings(load(), folder).backup?.passphrase).toBe('salt-water-42')
})

it('lets a secret in the environment win over its file in .env, and the reverse', async () => {
  await writeSettings('BACKUP_PASSPHRASE_FILE=passphrase')
  expect(load({ BACKUP_PASSPHRASE: 'from the environment' }).BACKUP_PASSPHRASE).toBe('from the environment')

  await writeSettings('BACKUP_PASSPHRASE=from the settings file')
  expect(load({ BACKUP_PASSPHRASE_FILE: 'passphrase' }).BACKUP_PASSPHRASE).toBe('salt-water-42')
})

it('keeps a secret that came from a file in the settings of a backup', () => {
  expect(environmentToKeep(load({ JWT_SECRET_FILE: 'passphrase' }))).toEqual({ JWT_SECRET: 'salt-water-42' })
})

it('keeps the passphrase of the backups out of their settings, and everything else in them', () => {
  const env = {
    BACKUP_TO: '/mnt',
    BACKUP_PASSPHRASE: 'salt-water-42',
    SMTP_URL: 'smtp://mail',
    HOME: '/root',
  }

  expect(environmentToKeep(env)).toEqual({ BACKUP_TO: '/mnt', SMTP_URL: 'smtp://mail' })
})

it.each([
  [
    { JWT_SECRET: 'x', JWT_SECRET_FILE: 'passphrase' },
    'JWT_SECRET and JWT_SECRET_FILE are both set: keep one of them',
  ],
  [{ JWT_SECRET_FILE: 'none' }, 'JWT_SECRET_FILE: <folder>/none cannot be read: it does not exist'],
  [{ JWT_SECRET_FILE: '.' }, 'JWT_SECRET_FILE: <folder> cannot be read: it is a folder'],
  [{ JWT_SECRET_FILE: 'empty' }, 'JWT_SECRET_FILE: <folder>/empty is empty'],
  [{ ENV_FILE: 'shop.env' }, 'the settings file <folder>/shop.env cannot be read: it does not exist'],
])('explains in one line why %o cannot be used', (env, line) => {
  expect(() => load(env)).toThrow(new InvalidSettings(line.replace('<folder>', folder)))
})

it.skipIf(process.getuid?.() === 0)('says that this user may not read the file of a secret', async () => {
  await chmod(join(folder, 'empty'), 0o000)

  expect(() => load({ JWT_SECRET_FILE: 'empty' })).toThrow('this user may not read it')
})
