import { Client } from 'pg'
import { serverAddress } from '../servers/addresses.ts'

/** Values have the same text on every server with these settings. */
const SETTINGS = `
  set datestyle = 'ISO, DMY'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set synchronous_commit = on`

/** Runs `work` on a new connection for copying. */
export async function withCopyConnection<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    ...serverAddress(url),
    connectionTimeoutMillis: 10_000,
    application_name: 'database copy',
    keepAlive: true,
  })
  // Prevents an uncaught `error` event; a broken connection rejects the pending query.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(SETTINGS)
    return await work(client)
  } finally {
    await client.end()
  }
}
