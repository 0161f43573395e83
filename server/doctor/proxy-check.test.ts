import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type TestShop } from '#test/shop.ts'
import { parseSettings } from '../settings.ts'
import { proxyCheck } from './proxy-check.ts'
import { RECEIVED_REQUEST_PATH } from './received-request.ts'

const CLIENT = '41.0.0.1'

let shop: TestShop
let elsewhere: string
beforeAll(async () => {
  shop = await openShop()
  elsewhere = await mkdtemp(join(tmpdir(), 'doctor-'))
})
afterAll(async () => {
  await shop.close()
  await rm(elsewhere, { recursive: true, force: true })
})

/** What a proxy does with the X-Forwarded-For that the client sent. */
type Rewrite = (sent: string) => string | null

/** Checks the shop behind a proxy. */
async function checkBehind(rewrite: Rewrite, settings: Partial<Parameters<typeof proxyCheck>[0]> = {}) {
  const proxy = createServer(async (request, response) => {
    const forwarded = rewrite(String(request.headers['x-forwarded-for']))
    const headers: Record<string, string> = forwarded === null ? {} : { 'X-Forwarded-For': forwarded }
    const answer = await shop.fetch(request.url ?? '/', { headers })
    response.writeHead(answer.status).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const port = typeof address === 'object' ? address?.port : 0
  try {
    return await proxyCheck({
      host: '127.0.0.1',
      publicUrl: `http://127.0.0.1:${port}`,
      dataDir: shop.settings.dataDir,
      trustProxy: 1,
      isLocal: false,
      ...settings,
    }).check()
  } finally {
    proxy.close()
  }
}

const appends: Rewrite = (sent) => `${sent}, ${CLIENT}`
const replaces: Rewrite = () => CLIENT
const passesOn: Rewrite = (sent) => sent
const removes: Rewrite = () => null
const appendsTwo: Rewrite = (sent) => `${sent}, ${CLIENT}, 10.0.0.2`

describe('the check of the proxy', () => {
  it.each([
    ['appends the client’s address', appends, 1],
    ['replaces what the client sent', replaces, 1],
    ['is one of two that append', appendsTwo, 2],
    ['does not exist', passesOn, 0],
  ])('finds nothing wrong with a proxy that %s', async (_does, rewrite, trustProxy) => {
    expect(await checkBehind(rewrite, { trustProxy })).toMatchObject({ state: 'ok' })
  })

  it.each([
    {
      does: 'passes a forged address on',
      rewrite: passesOn,
      trustProxy: 1,
      message: /^No proxy adds .* trusts 1: anyone can forge an address\.$/,
      action: /deploy/,
    },
    {
      does: 'removes the header',
      rewrite: removes,
      trustProxy: 1,
      message: /: anyone can forge an address\.$/,
      action: /deploy/,
    },
    {
      does: 'is one, where the shop expects two',
      rewrite: appends,
      trustProxy: 2,
      message: /^1 proxy adds .*: anyone can forge/,
      action: /^Set TRUST_PROXY=1\.$/,
    },
    {
      does: 'is one of two',
      rewrite: appendsTwo,
      trustProxy: 1,
      message: /^2 proxies add .*: all buyers share one/,
      action: /^Set TRUST_PROXY=2\.$/,
    },
    {
      does: 'the shop does not trust',
      rewrite: appends,
      trustProxy: 0,
      message: /: all buyers share one rate limit\.$/,
      action: /^Set TRUST_PROXY=1\.$/,
    },
  ])('says what is wrong with a proxy that $does', async ({ rewrite, trustProxy, message, action }) => {
    expect(await checkBehind(rewrite, { trustProxy })).toEqual({
      state: 'failed',
      message: expect.stringMatching(message),
      action: expect.stringMatching(action),
    })
  })

  it('warns when the shop’s own port is open beside the proxy', async () => {
    expect(await checkBehind(appends, { host: '0.0.0.0' })).toMatchObject({ state: 'warning' })
  })

  it('says that the address leads to a shop with another data folder', async () => {
    expect(await checkBehind(appends, { dataDir: elsewhere })).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('does not lead to the shop with this data folder'),
    })
  })

  it('needs no proxy on a local shop, and one that is trusted for https', async () => {
    const settings = parseSettings({}, elsewhere)
    const https = { ...settings, isLocal: false, publicUrl: 'https://shop.example' }

    expect(await proxyCheck(settings).check()).toMatchObject({ state: 'ok' })
    expect(await proxyCheck(https).check()).toMatchObject({
      state: 'failed',
      action: 'Set TRUST_PROXY=true.',
    })
  })

  it('leaves no token behind', async () => {
    await checkBehind(appends)
    await checkBehind(appends, { dataDir: elsewhere })

    const files = [...(await readdir(shop.settings.dataDir)), ...(await readdir(elsewhere))]
    expect(files.filter((name) => name.startsWith('doctor-'))).toEqual([])
  })
})

async function statusFor(token: string): Promise<number> {
  return (await shop.fetch(`${RECEIVED_REQUEST_PATH}/${token}`)).status
}

describe('how a request arrived', () => {
  it('is shown once for a token of the data folder, to one of two requests at the same moment', async () => {
    const token = randomBytes(16).toString('hex')
    await writeFile(join(shop.settings.dataDir, `doctor-${token}`), '')

    const statuses = await Promise.all([statusFor(token), statusFor(token)])

    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 404])
    expect(await statusFor(token)).toBe(404)
  })

  it('is not shown to strangers, who cannot remove files either', async () => {
    const file = join(shop.settings.dataDir, 'doctor-notes')
    await writeFile(file, '')

    for (const token of [randomBytes(16).toString('hex'), 'notes', '..%2Fdoctor-notes', '%00'])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect([token, await statusFor(token)]).toEqual([token, 404])
    await expect(access(file)).resolves.toBeUndefined()
  })
})
