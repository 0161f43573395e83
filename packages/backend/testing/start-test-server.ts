import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresUrl, startPostgres } from '#backend/database/embedded.ts'
import { endWithThisProcess } from './end-with-parent.ts'
import { useMemoryFolder } from './memory-folder.ts'
import { buildBareTemplate, onServer } from './templates.ts'

export interface TestPostgres {
  superuserUrl: string
  stop(this: void): Promise<void>
}

/** Starts a temporary PostgreSQL with the template `bare`. It ends with this process, even when a signal ends it. */
export async function startTestServer(): Promise<TestPostgres> {
  useMemoryFolder()
  const folder = await mkdtemp(join(tmpdir(), 'backend-test-'))
  // Thousands of connections check a password; with its usual 4 096 iterations that takes milliseconds at both ends.
  const postgres = await startPostgres(folder, { durable: false, settings: { scram_iterations: '1' } })
  const stop = async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await endWithThisProcess(folder)
    const superuserUrl = postgresUrl(postgres, 'supabase_admin')
    await onServer(superuserUrl, (server) =>
      server.query(`alter role supabase_admin password ${server.escapeLiteral(postgres.password)}`),
    )
    await buildBareTemplate(superuserUrl)
    return { superuserUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
