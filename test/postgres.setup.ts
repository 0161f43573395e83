import type { TestProject } from 'vitest/node'
import { startTestServer } from '@saltfreak/backend/testing'
import { buildShopTemplate } from './templates.ts'

declare module 'vitest' {
  interface ProvidedContext {
    superuserUrl: string
    /** Why the shop's template could not be built, for example a failed migration. */
    shopProblem: string | null
  }
}

/**
 * Starts one PostgreSQL per test run and deletes it afterwards; tests copy their databases from its templates. Uses the server at
 * `TEST_SERVER_URL` instead, which must have the templates: programs with many short test runs share one.
 */
// oxlint-disable-next-line import/no-default-export -- Vitest asks for it
export default async function setUp(project: TestProject) {
  const sharedUrl = process.env.TEST_SERVER_URL
  if (sharedUrl) {
    project.provide('superuserUrl', sharedUrl)
    project.provide('shopProblem', null)
    return
  }
  const { superuserUrl, stop } = await startTestServer()
  project.provide('superuserUrl', superuserUrl)
  project.provide('shopProblem', await buildShopTemplate(superuserUrl))
  return stop
}
