import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import type { ClientKeys } from '@saltfreak/backend'
import { freePort } from '@saltfreak/backend/testing'
import { type InstalledShop, installShop, shopRelease } from '#test/installed-shop.ts'
import { isInstalled, type ProxyName, type ShopProxy, startProxy } from '#test/shop-proxy.ts'

interface OpenShop {
  installed: InstalledShop
  proxy: ShopProxy
  url: string
  keys(this: void): Promise<ClientKeys>
}

/** An installed shop behind a proxy; `use` gets it once it is open. */
export async function withShop(
  { proxy: name, settings = {} }: { proxy: ProxyName; settings?: Record<string, string> },
  use: (shop: OpenShop) => Promise<void>,
): Promise<void> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const installed = await installShop({ PUBLIC_URL: url, TRUST_PROXY: 'true', ...settings })
  let proxy: ShopProxy | undefined
  try {
    await installed.start('1.0.0', shopRelease)
    proxy = await startProxy(name, installed, port)
    await expect.poll(() => httpStatusOf(`${url}/readyz`), { timeout: 60_000 }).toBe(200)
    const env = { ENV_FILE: join(installed.home, 'shop.env'), DATA_DIR: installed.dataDir }
    const keys = promisify(execFile)(process.execPath, [join(installed.home, 'database/scripts/keys.ts')], {
      env,
    }).then(({ stdout }) => JSON.parse(stdout))
    await use({ installed, proxy, url, keys: () => keys })
  } catch (error) {
    console.log(name, proxy?.output())
    const services = ['saltfreak-database', ...installed.ports.map((each) => `saltfreak@${each}`)]
    for (const service of services) {
      // oxlint-disable-next-line no-await-in-loop -- three files
      console.log(
        service,
        (await installed.log(service))
          .split('\n')
          .filter((line) => !line.includes('"request"'))
          .join('\n'),
      )
    }
    throw error
  } finally {
    await proxy?.close()
    await installed.close()
  }
}

export function httpStatusOf(url: string): Promise<number | null> {
  return fetch(url).then(
    async ({ status, body }) => {
      await body?.cancel()
      return status
    },
    () => null,
  )
}

/** Elsewhere the test must run: CI installs both from Debian. */
export function requireProxy(name: ProxyName): void {
  test.skip(!isInstalled(name) && !process.env.CI, `${name} is not installed: apt-get install ${name}`)
}
