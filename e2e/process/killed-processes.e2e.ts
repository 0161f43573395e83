import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { countFor, findRunningPostgres, postgresUrl } from '@saltfreak/backend/testing'
import { fakePayfast } from '#test/fake-payfast.ts'
import type { InstalledShop } from '#test/installed-shop.ts'
import { startMailServer } from '#test/mail-server.ts'
import { fillShelves, settingsFor, signUp } from './checkout.ts'
import { expectEachOnce, trade } from './purchases.ts'
import { requireProxy, withShop } from './shop-behind-proxy.ts'

const PROCESSES = 3
const KILLS = countFor('PROCESS_KILLS', { gate: 5, long: 30 })
const BETWEEN_KILLS_MS = 3000
const BUYERS = 8
/** On a busy machine, with the start of the next process. The purchases must last until the last kill. */
const KILL_TAKES_AT_MOST_MS = 15_000
/** A buyer may place 120 orders in an hour. */
const PAUSE_MS = (KILLS * KILL_TAKES_AT_MOST_MS) / 100

test(
  `${PROCESSES} processes behind nginx, one of which is killed every few seconds, lose and repeat no purchase, and fail no page`,
  { tag: '@long' },
  async ({ browser }) => {
    requireProxy('nginx')
    test.setTimeout(180_000 + KILLS * 20_000)
    const [payfast, mails] = await Promise.all([fakePayfast(), startMailServer()])
    const settings = { ...settingsFor(payfast), SMTP_URL: mails.url, PROCESSES: String(PROCESSES) }
    await withShop({ proxy: 'nginx', settings }, async (shop) => {
      const { installed } = shop
      const log = () => installed.log(`saltfreak@${installed.ports[0]}`)
      // All processes are ready then; /readyz answers as soon as one is.
      await expect.poll(log).toContain('is open at')
      const serving = async () => {
        // nginx keeps its connections: a new process takes part with the next new one.
        await fetch(`http://127.0.0.1:${installed.ports[0]}/robots.txt`, { headers: { connection: 'close' } })
        const [pids, lines] = [await childrenOf(installed), await log()]
        return pids.filter((pid) => new RegExp(`"pid":${pid},[^\\n]*"msg":"request"`).test(lines)).length
      }
      await fillShelves(shop)
      const buyers = await Promise.all(Array.from({ length: BUYERS }, () => signUp(shop)))
      const { done, pages, end } = trade({ shop, payfast, browser, buyers, pauseMs: PAUSE_MS })
      for (let kills = 0; kills < KILLS;) {
        // oxlint-disable no-await-in-loop -- one kill after the other
        await pause(BETWEEN_KILLS_MS)
        // On a busy machine, a start takes longer: the others must serve meanwhile.
        await expect.poll(serving, { timeout: 60_000 }).toBe(PROCESSES)
        const [victim] = await childrenOf(installed)
        if (victim) process.kill(victim, 'SIGKILL')
        kills += victim ? 1 : 0
        // oxlint-enable no-await-in-loop
      }
      await end()

      const postgres = await findRunningPostgres(installed.dataDir)
      if (!postgres) throw new Error('the database is not running')
      await expectEachOnce(done, {
        databaseUrl: postgresUrl(postgres, 'supabase_admin'),
        kills: KILLS,
        receivedIds: async () => (await mails.received()).map(({ messageId }) => messageId),
      })
      expect((await log()).match(/"reason":"ended by SIGKILL"/g)).toHaveLength(KILLS)
      expect(done.repeated).toBeGreaterThan(0)
      // Reading is repeated by nginx.
      expect([...pages.keys()]).toEqual([200])
      console.log(
        `${done.paid.length} purchases, ${KILLS} kills, ${done.repeated} calls repeated, ${pages.get(200)} pages`,
      )
    })
    await Promise.all([payfast.close(), mails.close()])
  },
)

/** The process ids of the shop's children, in random order. */
async function childrenOf({ home, ports }: InstalledShop): Promise<number[]> {
  const supervisor = (await readFile(join(home, 'run', `saltfreak@${ports[0]}.pid`), 'utf8')).trim()
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent]) => parent === supervisor)
    .map(([pid]) => Number(pid))
    .toSorted(() => Math.random() - 0.5)
}
