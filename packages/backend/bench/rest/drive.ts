/** A process that runs a case's SQL through `pg` only and sends the result: `drive.ts URL CASE KIND`. */

import { Client } from 'pg'

import { anyFilm, CASES, sqlOf, type CaseSql } from './cases.ts'
import { CLIENT_COUNT, measure } from './measure.ts'

/** The statement alone, or in the transaction that a request needs. */
export type CallMode = 'statement' | 'transaction'

const [, , url = '', name, kind] = process.argv
const chosen = CASES.find((each) => each.name === name)
if (!chosen) throw new Error(`Unknown case "${name}"`)
const caseSql = await sqlOf(chosen, url)
const clients = Array.from(
  { length: CLIENT_COUNT },
  () => new Client({ connectionString: url, pipeline: true }),
)
await Promise.all(clients.map((client) => client.connect()))
const calls = clients.map((client) =>
  kind === 'statement' ? () => runStatement(client, caseSql) : () => runTransaction(client, caseSql),
)
process.send?.(await measure(calls, process.pid))
await Promise.all(clients.map((client) => client.end()))

function runStatement(client: Client, { statementFor }: CaseSql): Promise<unknown> {
  return client.query({ name: 'main', ...statementFor(anyFilm()) })
}

/** Pipelines all four statements in one round trip. */
function runTransaction(client: Client, { setRole, statementFor }: CaseSql): Promise<unknown> {
  return Promise.all([
    client.query('begin'),
    client.query({ name: 'become', ...setRole }),
    client.query({ name: 'main', ...statementFor(anyFilm()) }),
    client.query('commit'),
  ])
}
