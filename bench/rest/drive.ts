/** A process of its own that runs a case's SQL through `pg` and nothing else, and tells how fast: `drive.ts URL CASE KIND`. */

import { Client } from 'pg'

import { anyFilm, CASES, sqlOf, type Asked } from './cases.ts'
import { CLIENTS, measure } from './measure.ts'

/** The statement alone, or in the transaction that a request needs. */
export type Kind = 'statement' | 'transaction'

const [, , url = '', name, kind] = process.argv
const chosen = CASES.find((each) => each.name === name)
if (!chosen) throw new Error(`there is no case "${name}"`)
const asked = await sqlOf(chosen, url)
const clients = Array.from({ length: CLIENTS }, () => new Client({ connectionString: url, pipeline: true }))
await Promise.all(clients.map((client) => client.connect()))
const calls = clients.map((client) =>
  kind === 'statement' ? () => runStatement(client, asked) : () => runTransaction(client, asked),
)
process.send?.(await measure(calls, process.pid))
await Promise.all(clients.map((client) => client.end()))

function runStatement(client: Client, { statementFor }: Asked): Promise<unknown> {
  return client.query({ name: 'main', ...statementFor(anyFilm()) })
}

/** In one round trip, as far as the driver goes: it sends all four at once and reads the answers as they come. */
function runTransaction(client: Client, { become, statementFor }: Asked): Promise<unknown> {
  return Promise.all([
    client.query('begin'),
    client.query({ name: 'become', ...become }),
    client.query({ name: 'main', ...statementFor(anyFilm()) }),
    client.query('commit'),
  ])
}
