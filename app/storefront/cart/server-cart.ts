import type { ShopClient } from '#database'
import { findLine, lineKey, addQuantity, type CartChange, type CartLine, type NewLine } from '#domain/cart.ts'
import { LINE_COLUMNS, lineFrom } from './stored-line.ts'

/** The `cart_items` rows of a customer. */
export interface ServerCart {
  client: ShopClient
  userId: string
}

const ALREADY_THERE = '23505'

export async function loadServerCart({ client, userId }: ServerCart): Promise<CartLine[]> {
  const { data, error } = await client
    .from('cart_items')
    .select('*')
    .eq('user_id', userId)
    .order('created_at', { ascending: false })
  if (error) throw error
  return data.map(lineFrom)
}

/** Applies a change based on `lines` and returns the new lines. */
export async function changeServerCart(
  cart: ServerCart,
  change: CartChange,
  lines: CartLine[],
): Promise<CartLine[]> {
  switch (change.kind) {
    case 'add':
      return addLine(cart, change.line, lines)
    case 'set-quantity':
      return setQuantity(cart, findLine(lines, change.key), { lines, quantity: change.quantity })
    case 'remove':
      return setQuantity(cart, findLine(lines, change.key), { lines, quantity: 0 })
    case 'reprice':
      // The database has already updated the row's price; only the displayed lines lag behind.
      return lines.map((line) =>
        lineKey(line) === change.key ? { ...line, priceCents: change.priceCents } : line,
      )
    case 'clear': {
      const { error } = await cart.client.from('cart_items').delete().eq('user_id', cart.userId)
      if (error) throw error
      return []
    }
  }
}

async function addLine(cart: ServerCart, line: NewLine, lines: CartLine[]): Promise<CartLine[]> {
  const existing = findLine(lines, lineKey(line))
  if (existing) {
    return setQuantity(cart, existing, { lines, quantity: addQuantity(existing.quantity, line.quantity) })
  }
  const inserted = await insertLine(cart, line)
  if (inserted !== 'already-there') return [inserted, ...lines]
  // Another tab inserted the line in the meantime: the reloaded cart has it, and the branch above raises its quantity.
  return addLine(cart, line, await loadServerCart(cart))
}

/** Inserts a row, unless the customer already has this line. */
export async function insertLine(
  { client, userId }: ServerCart,
  line: NewLine,
): Promise<CartLine | 'already-there'> {
  const { data, error } = await client
    .from('cart_items')
    .insert({
      user_id: userId,
      product_name: line.productName,
      product_variant: line.productVariant,
      price: line.priceCents / 100,
      quantity: line.quantity,
      with_hooks: line.withHooks,
      image_url: line.imageUrl,
    })
    .select(LINE_COLUMNS)
    .single()
  if (error?.code === ALREADY_THERE) return 'already-there'
  if (error) throw error
  return lineFrom(data)
}

/** Deletes the line when the quantity is below one. */
async function setQuantity(
  { client }: ServerCart,
  line: CartLine | undefined,
  { lines, quantity }: { lines: CartLine[]; quantity: number },
): Promise<CartLine[]> {
  if (!line) return lines
  const rows = client.from('cart_items')
  const { error } = await (quantity < 1
    ? rows.delete().eq('id', line.id)
    : rows.update({ quantity }).eq('id', line.id))
  if (error) throw error
  if (quantity < 1) return lines.filter((other) => other !== line)
  return lines.map((other) => (other === line ? { ...line, quantity } : other))
}
