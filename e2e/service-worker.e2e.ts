import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { expect, test as base } from './fixtures/journey.ts'

const SOURCE = readFileSync(new URL('../app/offline/service-worker.js', import.meta.url), 'utf8')

interface Site {
  url: string
  /** The worker script that the next visit gets. */
  release(build: string, options?: { isWanted: boolean }): void
}

/** A site of two pages that changes its service worker, as each build of the shop does. */
const test = base.extend<{ site: Site }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from the pattern
  site: async ({}, use) => {
    const released = { build: '', isWanted: true }
    const server = createServer(({ url = '/' }, response) => {
      const isWorker = url === '/service-worker.js'
      response.setHeader('Content-Type', isWorker ? 'text/javascript' : 'text/html; charset=utf-8')
      response.setHeader('Cache-Control', 'no-cache')
      const { build, isWanted } = released
      response.end(
        isWorker
          ? `const BUILD = '${build}'\nconst IS_WANTED = ${isWanted}\n${SOURCE}`
          : `<title>${build}</title><h1>${url} of ${build}</h1><ul id="kept-pages"></ul>
             <script>navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' })</script>`,
      )
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (!address || typeof address === 'string') throw new Error('no port')
    await use({
      url: `http://localhost:${address.port}/`,
      release: (build, { isWanted } = { isWanted: true }) => Object.assign(released, { build, isWanted }),
    })
    server.closeAllConnections()
    server.close()
  },
})

test.use({ serviceWorkers: 'allow' })

test(
  'each build’s service worker replaces the previous worker, and a retired worker unregisters',
  { tag: '@long' },
  async ({ page, site }) => {
    const cacheNames = () => page.evaluate(() => caches.keys())
    const isControlled = () => page.evaluate(() => Boolean(navigator.serviceWorker.controller))
    site.release('one')
    await page.goto(site.url)
    await expect.poll(cacheNames).toContain('shop pages one')
    await expect.poll(isControlled).toBe(true)

    // covers S58
    await test.step('a new build’s service worker takes over at once and deletes the old cache', async () => {
      site.release('two')
      await page.goto(site.url)
      await expect(page.getByRole('heading')).toHaveText('/ of two')
      await expect.poll(cacheNames).toContain('shop pages two')
      await expect.poll(cacheNames).not.toContain('shop pages one')
      await expect.poll(isControlled).toBe(true)
    })

    // covers S58
    await test.step('a retired service worker deletes all caches and unregisters', async () => {
      site.release('three', { isWanted: false })
      await page.goto(site.url)
      await expect.poll(cacheNames).toEqual([])
      const registrations = () =>
        page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
      await expect.poll(registrations).toBe(0)
      await page.goto('about:blank')
      site.release('four', { isWanted: false })
      await page.goto(site.url)
      await expect(page.getByRole('heading')).toHaveText('/ of four')
      expect(await isControlled()).toBe(false)
    })
  },
)
