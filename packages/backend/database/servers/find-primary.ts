import { Client } from 'pg'
import { z } from 'zod'
import { DatabaseProblem } from '../database-problem.ts'
import { selectRow } from '../select-rows.ts'
import { hostOf, serverAddress } from './addresses.ts'

const TIMEOUT_MS = 10_000

/** Returns the server that can be written, the quickest if there are several; throws a DatabaseProblem without one. */
export async function findPrimary(urls: string[], timeoutMs = TIMEOUT_MS): Promise<string> {
  const problems: string[] = []
  const attempts = urls.map(async (url, at) => {
    const problem = await whyNotWritable(url, timeoutMs)
    if (problem === null) return url
    problems[at] = problem
    throw new DatabaseProblem(problem)
  })
  // Without waiting for a machine that is off.
  return Promise.any(attempts).catch(() => {
    throw new DatabaseProblem(problems.join('; '))
  })
}

/** Returns why a server cannot be used, or null. */
async function whyNotWritable(url: string, timeoutMs: number): Promise<string | null> {
  const host = hostOf(url)
  let client: Client | undefined
  try {
    client = new Client({
      ...serverAddress(url),
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    })
    client.on('error', () => undefined)
    await client.connect()
    return (await isReadOnly(client)) ? `the database at ${host} is read-only` : null
  } catch (error) {
    return `the database at ${host} does not answer: ${reasonOf(error)}`
  } finally {
    await client?.end().catch(() => undefined) // The connection may never have been open.
  }
}

const readOnlyRow = z.object({ isReadOnly: z.boolean() })

/** Whether the server is a standby, or refuses writes by its settings. */
export async function isReadOnly(client: Client): Promise<boolean> {
  const row = await selectRow(client, readOnlyRow, [
    `select current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  ])
  return row.isReadOnly
}

/** Errors of certificates in Node's words do not say what to do. */
const ADVICE: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'give sslrootcert=<file> in DATABASE_URL',
  SELF_SIGNED_CERT_IN_CHAIN: 'give sslrootcert=<file> in DATABASE_URL',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'give sslrootcert=<file> in DATABASE_URL',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'give sslrootcert=<file> in DATABASE_URL',
  ERR_TLS_CERT_ALTNAME_INVALID: 'use the host name that the certificate names',
}

/** Node throws an AggregateError without a message when a host with two addresses refuses the connection. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const advice = 'code' in error ? ADVICE[String(error.code)] : undefined
  // Node's own advice follows a semicolon, and does not fit.
  const [reason] = error.message.split(';')
  return advice ? `its certificate is not valid (${reason}): ${advice}` : error.message
}
