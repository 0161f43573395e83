import type { Context } from 'hono'
import { z } from 'zod'

import { jsonObject, selectRows } from '#backend/database/select-rows.ts'
import { runAsCaller, type StorageParts } from '../parts.ts'
import { readJson } from '../request.ts'
import { objectAddress } from './public-object.ts'

const schema = z.object({
  prefix: z.string().max(1024).default(''),
  limit: z.int().min(1).max(1000).default(1000),
  cursor: z.string().max(2048).optional(),
  with_delimiter: z.boolean().default(false),
  sortBy: z
    .object({ column: z.enum(['name', 'updated_at', 'created_at']), order: z.enum(['asc', 'desc']) })
    .partial()
    .optional(),
})

const entryRow = z.object({ time: z.string(), entry: z.string(), object: jsonObject.nullable() })

type Entry = z.infer<typeof entryRow>

/** POST /object/list-v2/:bucket. Paginates by cursor and returns full names; lists folders only with `with_delimiter`. */
export async function listObjectsV2(storage: StorageParts, c: Context): Promise<Response> {
  const { prefix, limit, cursor, with_delimiter: hasFolders, sortBy } = await readJson(c, schema)
  const { bucket } = objectAddress(c)
  const isDescending = sortBy?.order === 'desc'
  const direction = isDescending ? 'desc' : 'asc'
  // Formats times as text that sorts like the time. A folder has the time of its oldest file.
  const [time, folderTime] =
    sortBy?.column && sortBy.column !== 'name'
      ? [timeOf(sortBy.column), timeOf('min(created_at)')]
      : [`''`, `''`]
  const after = cursor ? parseCursor(cursor) : null
  const entries = await runAsCaller(storage, { c, operation: 'storage.object.list_v2' }, (client) =>
    selectRows(client, entryRow, [
      `with inside as (
         select o.*, position('/' in substr(o.name, length($2::text) + 1)) as slash from storage.objects o
         where o.bucket_id = $1 and starts_with(o.name, $2::text)
       ), entries as (
         select ${folderTime} as time, left(name, length($2::text) + slash) as entry, null::jsonb as object
         from inside where $3 and slash > 0 group by 2
         union all
         select ${time}, name, to_jsonb(i) - '{slash,path_tokens,bucket_id,owner,owner_id,user_metadata}'::text[]
         from inside i where not ($3 and slash > 0)
       )
       select time, entry, object from entries
       where $5::text is null or (time collate "C", entry collate "C") ${isDescending ? '<' : '>'} ($5, $6::text)
       order by time collate "C" ${direction}, entry collate "C" ${direction} limit $4::int + 1`,
      bucket,
      prefix,
      hasFolders,
      limit,
      after?.time ?? null,
      after?.entry ?? null,
    ]),
  )
  return c.json(pageOf(entries, limit))
}

function timeOf(column: string): string {
  return `to_char(${column} at time zone 'utc', 'YYYYMMDDHH24MISSUS')`
}

/** A cursor contains the last entry of a page. An invented cursor starts at the position where its text would sort. */
function parseCursor(cursor: string): Pick<Entry, 'time' | 'entry'> {
  const [time = '', ...entry] = Buffer.from(cursor, 'base64url').toString().replaceAll('\0', '').split('|')
  return { time, entry: entry.join('|') }
}

function pageOf(rows: Entry[], limit: number) {
  const entries = rows.slice(0, limit)
  const hasNext = rows.length > limit
  const last = entries.at(-1)
  return {
    hasNext,
    ...(hasNext && last
      ? { nextCursor: Buffer.from(`${last.time}|${last.entry}`).toString('base64url') }
      : {}),
    folders: entries
      .filter(({ object }) => !object)
      .map(({ entry }) => ({
        name: entry,
        key: entry.replace(/\/$/, ''),
      })),
    objects: entries.flatMap(({ entry, object }) => (object ? [{ ...object, key: entry }] : [])),
  }
}
