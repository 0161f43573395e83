import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresUrl, startPostgres } from '#backend/database/embedded.ts'
import { endWithThisProcess } from './end-with-parent.ts'
import { useMemoryFolder } from './memory-folder.ts'
import { buildBareTemplate } from './templates.ts'

export interface TestPostgres {
  superuserUrl: string
  stop(this: void): Promise<void>
}

/** Starts a temporary PostgreSQL with the template `bare`. It ends with this process, even when a signal ends it. */
export async function startTestServer(): Promise<TestPostgres> {
  useMemoryFolder()
  const folder = await mkdtemp(join(tmpdir(), 'backend-test-'))
  const postgres = await startPostgres(folder, { durable: false })
  const stop = async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await endWithThisProcess(folder)
    const superuserUrl = postgresUrl(postgres, 'supabase_admin')
    await buildBareTemplate(superuserUrl)
    return { superuserUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
