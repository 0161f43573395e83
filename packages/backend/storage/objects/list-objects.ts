import type { Context } from 'hono'
import { z } from 'zod'

import { jsonObject, selectRows } from '#backend/database/select-rows.ts'
import { runAsCaller, type StorageParts } from '../parts.ts'
import { readJson } from '../request.ts'
import { objectAddress } from './public-object.ts'

const COLUMNS = ['name', 'updated_at', 'created_at', 'last_accessed_at'] as const

const schema = z.object({
  prefix: z.string().max(1024).default(''),
  limit: z.int().min(1).max(10_000).default(100),
  offset: z.int().min(0).default(0),
  search: z.string().max(1024).nullish(),
  sortBy: z
    .object({ column: z.enum(COLUMNS).default('name'), order: z.string().default('asc') })
    .default({ column: 'name', order: 'asc' }),
})

/** POST /object/list/:bucket. Lists files and sub-folders of one folder, case-insensitively, with names relative to it. */
export async function listObjects(storage: StorageParts, c: Context): Promise<Response> {
  const { prefix, limit, offset, search, sortBy } = await readJson(c, schema)
  const { bucket } = objectAddress(c)
  const folder = prefix.replace(/^\/+|\/+$/g, '')
  const direction = sortBy.order.toLowerCase() === 'desc' ? 'desc' : 'asc'
  const entries = await runAsCaller(storage, { c, operation: 'storage.object.list' }, (client) =>
    selectRows(client, jsonObject, [
      `with inside as (
         select o.*, substr(o.name, length($2::text) + 1) as rest from storage.objects o
         where o.bucket_id = $1 and starts_with(lower(o.name), lower($2::text)) and length(o.name) > length($2::text)
       ), entries as (
         select distinct split_part(rest, '/', 1) as name, null::uuid as id, null::timestamptz as updated_at,
           null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
         from inside where position('/' in rest) > 0
         union all
         select rest, id, updated_at, created_at, last_accessed_at, metadata from inside where position('/' in rest) = 0
       )
       select * from entries
       where $5::text is null or starts_with(lower(name), lower($5::text))
       order by ${sortBy.column} ${direction} nulls first, name ${direction} limit $3 offset $4`,
      bucket,
      folder === '' ? '' : `${folder}/`,
      limit,
      offset,
      search ?? null,
    ]),
  )
  return c.json(entries)
}
