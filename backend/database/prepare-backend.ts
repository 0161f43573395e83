import { fileURLToPath } from 'node:url'

import { bootstrap } from './migrate.ts'

const BOOTSTRAP = fileURLToPath(new URL('bootstrap', import.meta.url))

/** Roles, schemas and functions of the backend; `url` belongs to a superuser, or to an owner who may create roles. */
export async function prepareBackend(url: string): Promise<void> {
  await bootstrap(url, BOOTSTRAP)
}
