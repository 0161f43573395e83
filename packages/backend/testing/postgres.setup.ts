import type { TestProject } from 'vitest/node'
import { startTestServer } from './start-test-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    superuserUrl: string
  }
}

/** Starts one PostgreSQL per test run; tests copy their databases from its template. */
// oxlint-disable-next-line import/no-default-export -- Vitest asks for it
export default async function setUp(project: TestProject) {
  const { superuserUrl, stop } = await startTestServer()
  project.provide('superuserUrl', superuserUrl)
  return stop
}
