import type { UnstableGetResult as GetResult } from '@supabase/postgrest-js'
import type { Args, Returns, ShopDatabase } from '#database'
import { backendHeaders } from './backend.ts'

type Public = ShopDatabase['public']
type Relations = Public['Tables'] & Public['Views']

interface PublicQuery<Name, Columns> {
  from: Name
  select: Columns
  /** PostgREST filters by column: `{ status: 'eq.live' }`. */
  where: Record<string, string>
}

/** The rows that the backend's client would return, as far as the types know: the same generated types and the same parser. */
type Row<Name extends keyof Relations, Columns extends string> = GetResult<
  Public,
  Relations[Name]['Row'],
  Name,
  Relations[Name]['Relationships'],
  Columns,
  ShopDatabase['__InternalSupabase']
>

/** Returns publicly readable rows without loading the backend client. Throws unless the response is 2xx. */
export function fetchPublicRows<Name extends keyof Relations, const Columns extends string>({
  from,
  select,
  where,
}: PublicQuery<Name, Columns>): Promise<Row<Name, Columns>[]> {
  return fetchJson(from, { select, ...where })
}

/** Calls a read-only function without loading the backend client. Throws unless the response is 2xx. */
export function callPublicFunction<Name extends keyof Public['Functions']>(
  name: Name,
  args: Args<Name> & Record<string, string | number>,
): Promise<Returns<Name>> {
  return fetchJson(`rpc/${name}`, args)
}

async function fetchJson(path: string, query: Record<string, string | number>) {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const response = await fetch(`/rest/v1/${path}?${search}`, { headers: backendHeaders() })
  if (!response.ok) throw new Error(`the shop returned ${response.status}`)
  return response.json()
}
