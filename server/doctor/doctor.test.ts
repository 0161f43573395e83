import { execFile } from 'node:child_process'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '@saltfreak/backend/testing'
import { fakeDns } from '#test/fake-dns.ts'
import { startMailServer } from '#test/mail-server.ts'
import { runUntilExit } from '#test/running-shop.ts'
import { parseSettings } from '../settings.ts'
import { addressCheck } from './address-check.ts'
import { clockChecks } from './clock-check.ts'
import { mailRecordsCheck, mailServerCheck } from './mail-checks.ts'
import { portCheck } from './port-check.ts'
import { filesCheck, payfastCheck } from './settings-checks.ts'

const LIVE = {
  PUBLIC_URL: 'https://shop.example',
  PAYFAST_MODE: 'live',
  PAYFAST_MERCHANT_ID: '10012345',
  PAYFAST_MERCHANT_KEY: 'abcdef0123456',
  PAYFAST_PASSPHRASE: 'a-long_pass/phrase',
  TRUST_PROXY: 'true',
}
const settings = (env: NodeJS.ProcessEnv) => parseSettings(env, '.')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctor-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function withServer(
  server: Server,
  scheme: string,
  use: (url: string) => Promise<void>,
): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  try {
    await use(`${scheme}://localhost:${typeof address === 'object' ? address?.port : ''}`)
  } finally {
    server.close()
  }
}

const answering: RequestListener = (_, response) => response.end('{}')
const alive: RequestListener = (_, response) => response.end('{"status":"alive"}')

describe('the check of the address and the clock', () => {
  it.each([
    [0, 'ok', 'the clock agrees'],
    [120_000, 'failed', 'seconds ahead of'],
    [-120_000, 'failed', 'seconds behind'],
  ])('finds a clock that is off by %i ms %s', async (off, state, words) => {
    await withServer(createServer(answering), 'http', async (publicUrl) => {
      const finding = await addressCheck({ publicUrl }, () => Date.now() + off).check()

      expect(finding.state).toBe(state)
      expect(finding.message).toContain(words)
    })
  })

  it('says that another program answers at the address', async () => {
    const refusing = createServer((_, response) => response.writeHead(502).end())
    await withServer(refusing, 'http', async (publicUrl) => {
      expect((await addressCheck({ publicUrl }).check()).message).toBe(
        `${publicUrl} answers 502 instead of the shop.`,
      )
    })
  })

  it('says that nothing answers at the address', async () => {
    const publicUrl = `http://127.0.0.1:${await freePort()}`

    expect(await addressCheck({ publicUrl }).check()).toMatchObject({
      state: 'failed',
      message: `${publicUrl} does not answer (ECONNREFUSED).`,
    })
  })

  it('says that the name of the address does not exist', async () => {
    const { message, action } = await addressCheck({ publicUrl: 'https://shop.invalid' }).check()

    expect(message).toBe('The name shop.invalid has no address.')
    expect(action).toMatch(/^Create an A record/)
  })

  it('says that browsers do not accept the certificate', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -days 30 -keyout ${key} -out ${cert}`
    await promisify(execFile)('openssl', request.split(' '))
    const server = createSecureServer({ key: await readFile(key), cert: await readFile(cert) }, answering)
    await withServer(server, 'https', async (publicUrl) => {
      const { state, message } = await addressCheck({ publicUrl }).check()

      expect(state).toBe('failed')
      expect(message).toMatch(/^Browsers do not accept the certificate of localhost \(\w+\)\.$/)
    })
  })
})

const payfastAt = (origin: string) => ({
  payfast: { ...settings(LIVE).payfast, validateUrl: `${origin}/eng/query/validate` },
})

describe('the check of the clock against PayFast’s', () => {
  it.each([
    [0, 'ok', 'This machine reaches PayFast, and their clocks agree.'],
    [120_000, 'failed', 'seconds ahead of PayFast’s.'],
    [-120_000, 'failed', 'seconds behind PayFast’s.'],
  ])('finds a clock that is off by %i ms %s', async (off, state, words) => {
    await withServer(createServer(answering), 'http', async (origin) => {
      const [check] = clockChecks(payfastAt(origin), () => Date.now() + off)
      const finding = await check?.check()

      expect([finding?.state, finding?.message]).toEqual([state, expect.stringContaining(words)])
    })
  })

  it('says that the machine does not reach PayFast', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`
    const [check] = clockChecks(payfastAt(origin))

    expect(await check?.check()).toMatchObject({
      state: 'failed',
      message: `This machine does not reach PayFast at ${origin} (ECONNREFUSED), so no payment can be confirmed.`,
    })
  })

  it('sends no request while payments are simulated', () => {
    expect(clockChecks(settings({}))).toEqual([])
  })
})

describe('the check of the port', () => {
  const host = '127.0.0.1'
  const findingFor = async (listener: RequestListener, listensOn = host) => {
    let finding = ''
    await withServer(createServer(listener), 'http', async (url) => {
      const check = portCheck({ host: listensOn, port: Number(new URL(url).port) })
      const { state, message } = await check.check()
      finding = `${state}: ${message}`
    })
    return finding
  }

  it('finds the shop at its own port, also when it listens on all addresses', async () => {
    expect(await findingFor(alive)).toMatch(/^ok: The shop answers on port \d+\.$/)
    expect(await findingFor(alive, '0.0.0.0')).toMatch(/^ok: /)
  })

  it('says that another program has the port', async () => {
    expect(await findingFor(answering)).toMatch(
      /^failed: The shop does not answer, and port \d+ is in use: stop the other program/,
    )
  })

  it('says that nothing listens on the port', async () => {
    const port = await freePort()

    expect(await portCheck({ host, port }).check()).toMatchObject({
      state: 'failed',
      message: `Nothing listens on port ${port}.`,
    })
  })

  it('says that this machine does not have the address of HOST', async () => {
    const { message } = await portCheck({ host: 'shop.invalid', port: await freePort() }).check()

    expect(message).toContain('cannot listen on shop.invalid')
  })
})

describe('the check of the mail server', () => {
  it('signs in to the mail server without sending a mail', async () => {
    const room = await startMailServer()
    const finding = await mailServerCheck(settings({ SMTP_URL: room.url })).check()
    const received = await room.received()
    await room.close()

    expect(finding.state).toBe('ok')
    expect(received).toEqual([])
  })

  it('sends a test mail, and repeats why the mail server refuses one', async () => {
    const room = await startMailServer()
    const check = mailServerCheck(settings({ SMTP_URL: room.url }), 'me@shop.example')
    expect((await check.check()).message).toContain('accepted a mail to me@shop.example')
    expect((await room.received()).map(({ subject }) => subject)).toEqual(['Test mail of your shop'])

    room.behaviour = 'refuses the recipient'
    const refused = await check.check()
    await room.close()

    expect(refused.state).toBe('failed')
    expect(refused.message).toContain('No mailbox here')
  })

  it('says that a mail server does not answer', async () => {
    const SMTP_URL = `smtp://127.0.0.1:${await freePort()}`

    expect((await mailServerCheck(settings({ SMTP_URL })).check()).message).toContain('ECONNREFUSED')
  })

  it('fails for a public shop without a mail server, not for a local one', async () => {
    expect((await mailServerCheck(settings(LIVE)).check()).state).toBe('failed')
    expect((await mailServerCheck(settings({})).check()).state).toBe('ok')
  })
})

const found = async (records: Record<string, string> | 'broken', environment = {}) => {
  const dns = await fakeDns(records)
  const resolver = new Resolver({ timeout: 30_000, tries: 1 })
  resolver.setServers([dns.server])
  const MAIL_FROM = 'Shop <orders@shop.example>'
  const mail = settings({ ...LIVE, SMTP_URL: 'smtp://mail.example', MAIL_FROM, ...environment })
  return mailRecordsCheck(mail, resolver)
    .check()
    .finally(() => dns.close())
}

const dkim = (text: string) => ({ 'mail._domainkey.shop.example': text })

describe('the check of the mail records', () => {
  const spf = { 'shop.example': 'v=spf1 include:mail.example -all' }
  const dmarc = { '_dmarc.shop.example': 'v=DMARC1; p=none' }

  it.each([
    [{ ...spf, ...dmarc }, 'ok', /^shop\.example has SPF and DMARC\./],
    [spf, 'warning', /^shop\.example has no DMARC record/],
    [dmarc, 'warning', /^shop\.example has no SPF record/],
    [{ 'shop.example': 'some other text' }, 'warning', /^shop\.example has no SPF and no DMARC record/],
  ])('finds for the records %o: %s', async (records, state, message) => {
    expect(await found(records)).toMatchObject({ state, message: expect.stringMatching(message) })
  })

  it.each([
    [dkim('v=DKIM1; k=rsa; p=MIIB'), 'ok', /^shop\.example has SPF, DKIM and DMARC\.$/],
    [dkim('p=MIIB'), 'ok', /^shop\.example has SPF, DKIM and DMARC\.$/],
    [dkim('v=DKIM1; p='), 'warning', /^shop\.example has no DKIM record/],
    [{}, 'warning', /^shop\.example has no DKIM record/],
  ])('finds the DKIM record of DKIM_SELECTOR with the records %o: %s', async (records, state, message) => {
    const finding = await found({ ...spf, ...dmarc, ...records }, { DKIM_SELECTOR: 'mail' })

    expect(finding).toMatchObject({ state, message: expect.stringMatching(message) })
  })

  it('does not take a broken name server for missing records', async () => {
    await expect(found('broken')).rejects.toThrow('ESERVFAIL')
  })
})

describe('the checks of the settings', () => {
  it.each([
    [LIVE, 'ok'],
    [{ ...LIVE, PAYFAST_MODE: 'sandbox' }, 'warning'],
    [{}, 'ok'],
  ])('finds whether payments of %o are real: %s', async (env, state) => {
    expect((await payfastCheck(settings(env)).check()).state).toBe(state)
  })

  it('finds settings that every user can read, and a data folder that this user cannot write', async () => {
    const file = join(folder, 'shop.env')
    await writeFile(file, 'JWT_SECRET=x\n', { mode: 0o640 })
    const check = filesCheck({ dataDir: folder, settingsFile: file })
    expect((await check.check()).state).toBe('ok')

    await chmod(file, 0o644)
    expect(await check.check()).toMatchObject({ state: 'failed', action: `chmod o= ${file}` })

    const elsewhere = filesCheck({ dataDir: join(folder, 'none'), settingsFile: file })
    expect((await elsewhere.check()).message).toContain('cannot write the data folder')
  })
})

it('npm run doctor sends no mail from a restored copy, and asks no mail server', async () => {
  const copy = await mkdtemp(join(folder, 'copy-'))
  await writeFile(join(copy, 'restored-copy.json'), '{}')
  const mails = await startMailServer()
  try {
    const env = { DATA_DIR: copy, PORT: String(await freePort()), SMTP_URL: mails.url }
    const command = { program: 'scripts/doctor.ts', args: ['--mail', 'operator@example.com'] }
    const { output } = await runUntilExit(env, command)

    expect(output).toMatch(/^! copy: This is a restored copy/m)
    expect(await mails.received()).toEqual([])
  } finally {
    await mails.close()
  }
})

it('npm run doctor prints every finding with what to do, and fails when one fails', async () => {
  const port = await freePort()
  const { code, output } = await runUntilExit(
    { DATA_DIR: folder, PORT: String(port) },
    { program: 'scripts/doctor.ts' },
  )

  expect(output).toContain('✓ files: ')
  expect(output).toContain(`✗ port: Nothing listens on port ${port}.`)
  expect(output).toContain(
    `✗ address and clock: http://localhost:${port} does not answer (ECONNREFUSED).\n    Start the proxy`,
  )
  expect(code).toBe(1)
})
