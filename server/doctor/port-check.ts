import { isIPv6 } from 'node:net'
import { z } from 'zod'
import { errorMessage, requireFreePort } from '@saltfreak/backend'
import { failed, type HealthCheck, ok } from '../health/finding.ts'
import type { Settings } from '../settings.ts'

const ANSWER_MS = 10_000

const alive = z.object({ status: z.literal('alive') })

/** The shop answers at its own port; if not, says whether another program has the port or this user may not open it. */
export function portCheck({ host, port }: Pick<Settings, 'host' | 'port'>): HealthCheck {
  return {
    component: 'port',
    async check() {
      if (await isShopAt(`http://${reachable(host)}:${port}/healthz`)) {
        return ok(`The shop answers on port ${port}.`)
      }
      try {
        await requireFreePort({ host, port })
      } catch (error) {
        return failed(
          `The shop does not answer, and ${errorMessage(error)}.`,
          'Compare HOST and PORT with the settings of the running shop.',
        )
      }
      return failed(
        `Nothing listens on port ${port}.`,
        'Start the shop. If it does not stay, its log says why.',
      )
    },
  }
}

async function isShopAt(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })
    return alive.safeParse(await answer.json()).success
  } catch {
    // Nothing listens, or another program does: the caller finds out which.
    return false
  }
}

/** A shop that listens on all addresses is reached at loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return isIPv6(host) ? `[${host}]` : host
}
