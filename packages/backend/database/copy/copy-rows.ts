import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { CopiedTable } from './tables.ts'
import type { TableProgress } from './target.ts'

/** 32 MB of a table's file: a killed copy loses at most this much work. */
const BLOCKS_PER_BATCH = 4096

export interface Connections {
  source: Client
  target: Client
}

/**
 * Copies a table's rows in the order in which they lie in its file, from where an earlier copy ended. Each batch is a transaction
 * that also records the progress.
 */
export async function copyRows(
  connections: Connections,
  { name, columns, blocks }: CopiedTable,
  { next_block }: Pick<TableProgress, 'next_block'>,
): Promise<void> {
  const list = columns.join(', ')
  for (let first = next_block; first < blocks; first += BLOCKS_PER_BATCH) {
    const next = first + BLOCKS_PER_BATCH
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await copyBatch(connections, {
      read: `copy (select ${list} from only ${name} where ctid >= '(${first},0)' and ctid < '(${next},0)') to stdout`,
      write: `copy ${name} (${list}) from stdin`,
      record: ['update database_copy.tables set next_block = $2 where name = $1', [name, next]],
    })
  }
  await connections.target.query('update database_copy.tables set is_done = true where name = $1', [name])
}

interface Batch {
  read: string
  write: string
  record: [text: string, values: unknown[]]
}

async function copyBatch({ source, target }: Connections, { read, write, record }: Batch): Promise<void> {
  await target.query('begin')
  try {
    await pipeline(source.query(copyTo(read)), target.query(copyFrom(write)))
    await target.query(...record)
    await target.query('commit')
  } catch (error) {
    // A lost connection has rolled back already.
    await target.query('rollback').catch(() => undefined)
    throw error
  }
}
