import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { postgresUrl, startPostgres } from '#backend/database/embedded.ts'
import { endWithThisProcess } from './end-with-parent.ts'
import { buildTemplates } from './templates.ts'

declare module 'vitest' {
  interface ProvidedContext {
    superuserUrl: string
    /** Why the shop's template could not be built, for example a failed migration. */
    shopProblem: string | null
  }
}

/** Starts one PostgreSQL per test run and deletes it afterwards; tests copy their databases from its templates. */
// oxlint-disable-next-line import/no-default-export -- Vitest asks for it
export default async function setUp(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'shop-test-'))
  const postgres = await startPostgres(folder, { durable: false })
  const tearDown = async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await endWithThisProcess(folder)
    const superuserUrl = postgresUrl(postgres, 'supabase_admin')
    project.provide('superuserUrl', superuserUrl)
    project.provide('shopProblem', await buildTemplates(superuserUrl))
  } catch (error) {
    await tearDown()
    throw error
  }
  return tearDown
}
