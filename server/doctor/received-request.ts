import { randomBytes } from 'node:crypto'
import { rm, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import { z } from 'zod'
import type { EdgeVariables } from '@saltfreak/backend'
import type { Settings } from '../settings.ts'

/** Below a path of the API, which is never cached or rendered. */
export const RECEIVED_REQUEST_PATH = '/healthz/received'

const ANSWER_MS = 10_000
const TOKEN = /^[0-9a-f]{32}$/

const receivedRequest = z.object({
  /** The client's address, as the shop understands it. */
  address: z.string().nullable(),
  forwardedFor: z.string().nullable(),
})

type ReceivedRequest = z.infer<typeof receivedRequest>

interface Edge {
  Variables: EdgeVariables
}

/**
 * Shows how a request arrived, once for each token of `askForReceivedRequest`, which needs write access to the data folder. All
 * other requests get 404: the answer would help to find out how to forge an address.
 */
export function createReceivedRequest({ dataDir }: Pick<Settings, 'dataDir'>): Hono<Edge> {
  const app = new Hono<Edge>()
  app.get('/:token', async (c) => {
    const token = c.req.param('token')
    if (!TOKEN.test(token) || !(await redeem(tokenPath(dataDir, token)))) return c.notFound()
    c.header('Cache-Control', 'no-store')
    return c.json<ReceivedRequest>({
      address: c.get('remoteAddress'),
      forwardedFor: c.req.header('X-Forwarded-For') ?? null,
    })
  })
  return app
}

/**
 * Sends a request with this X-Forwarded-For to `publicUrl` and returns how it arrived; null when the shop there has another data folder.
 * Throws when nothing answers, or the data folder is not writable.
 */
export async function askForReceivedRequest(
  { publicUrl, dataDir }: Pick<Settings, 'publicUrl' | 'dataDir'>,
  forwardedFor: string,
): Promise<ReceivedRequest | null> {
  const token = randomBytes(16).toString('hex')
  const path = tokenPath(dataDir, token)
  await writeFile(path, '', { mode: 0o600, flag: 'wx' })
  try {
    const answer = await fetch(`${publicUrl}${RECEIVED_REQUEST_PATH}/${token}`, {
      headers: { 'X-Forwarded-For': forwardedFor },
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    return receivedRequest.safeParse(await answer.json().catch(() => null)).data ?? null
  } finally {
    await rm(path, { force: true })
  }
}

function tokenPath(dataDir: string, token: string): string {
  return join(dataDir, `doctor-${token}`)
}

/** A file is removed once, even by requests at the same moment. */
function redeem(path: string): Promise<boolean> {
  return unlink(path).then(
    () => true,
    () => false,
  )
}
