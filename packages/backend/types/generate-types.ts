import type { PoolClient } from 'pg'
import { readTypes } from './read-types.ts'
import { writeTypes } from './write-types.ts'

/** The PostgREST version that the API follows; the client's types depend on it. */
const POSTGREST_VERSION = '14'

/** Returns the unformatted source of the type `Database` for a schema, for `createClient<Database>`. */
export async function generateTypes(client: PoolClient, schema: string): Promise<string> {
  return writeTypes(await readTypes(client, schema), POSTGREST_VERSION)
}
