import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PROCESS_STOP_TIMEOUT_MS } from '@saltfreak/backend'
import { expect, it } from 'vitest'
import { STOP_CHILDREN_MS } from '#server/processes/supervise-shop.ts'
import { parseSettings } from '#server/settings.ts'

it.for([
  ['systemd/saltfreak@.service', /^TimeoutStopSec=(\d+)$/m],
  ['container/compose.yaml', /stop_grace_period: (\d+)s/],
] as const)('%s waits for the longest STOP_DELAY before it kills the shop', async ([file, limit]) => {
  const { stopDelayMs } = parseSettings({ STOP_DELAY: '60' }, '/')
  expect(() => parseSettings({ STOP_DELAY: '61' }, '/')).toThrow('STOP_DELAY')

  const text = await readFile(join(import.meta.dirname, file), 'utf8')

  const longestS = (stopDelayMs + STOP_CHILDREN_MS + PROCESS_STOP_TIMEOUT_MS) / 1000
  expect(Number(limit.exec(text)?.[1])).toBeGreaterThan(longestS)
})
