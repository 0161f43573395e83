import { spawn } from 'node:child_process'
import { dataPath } from '#backend/database/installation.ts'
import { findPostmaster } from '#backend/database/postmaster.ts'

/** The child's stdin closes when this process ends for any reason. */
const WATCH =
  'cat >/dev/null; kill -INT "$1" 2>/dev/null; while kill -0 "$1" 2>/dev/null; do sleep 0.1; done; rm -rf "$2"'

/**
 * Stops a test run's PostgreSQL and removes its folder when this process ends. A signal skips vitest's teardown, and
 * the database would keep its memory and its port.
 */
export async function endWithThisProcess(folder: string): Promise<void> {
  const postmaster = await findPostmaster(await dataPath(folder))
  if (!postmaster) throw new Error(`no PostgreSQL runs in ${folder}`)
  spawn('sh', ['-c', WATCH, 'sh', String(postmaster.pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  }).unref()
}
