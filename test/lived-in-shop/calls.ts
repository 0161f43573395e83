import type { SupabaseClient } from '@supabase/supabase-js'
import type { LivedInShop } from './shop.ts'

/** Returns the call's data, or throws its error with the call's name. */
export async function unwrap<Answer>(
  what: string,
  call: PromiseLike<{ data: unknown; error: unknown }>,
): Promise<Answer> {
  const { data, error } = await call
  if (error) throw new Error(`${what}: ${JSON.stringify(error)}`, { cause: error })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the client knows no types of the database
  return data as Answer
}

export function rpc<Answer = unknown>(client: SupabaseClient, name: string, given: object = {}) {
  return unwrap<Answer>(name, client.rpc(name, given))
}

/** Maps items one after the other, because the order of events matters. */
export async function mapInOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  // oxlint-disable-next-line no-await-in-loop -- see above
  for (const [index, item] of items.entries()) results.push(await work(item, index))
  return results
}

/** Returns the item at `index`, modulo the length. */
export function nth<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('there is nothing to choose from')
  return item
}

/** Posts a page's form. Returns the redirect's location. */
export async function postForm(url: string, fields: Record<string, string>): Promise<string | null> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  if (response.status >= 400) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response.headers.get('location')
}

/** Returns the newest link to `path` in the mails to an address. */
export async function findMailLink(shop: LivedInShop, email: string, path: string): Promise<string> {
  const mails = await shop.mailServer.received()
  const mail = mails.findLast(
    ({ to, html }) => to?.some(({ address }) => address === email) && html?.includes(path),
  )
  const link = mail?.html?.match(new RegExp(`https?://[^"\\s]*${path}[^"\\s]*`))?.[0]
  if (!link) throw new Error(`no mail to ${email} leads to ${path}`)
  return link.replaceAll('&amp;', '&')
}
