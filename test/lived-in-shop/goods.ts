import { unwrap, mapInOrder, rpc } from './calls.ts'
import type { LivedInShop } from './shop.ts'
import type { People } from './people.ts'
import { LOW_STOCK_THRESHOLD } from './renamed.ts'

interface Product {
  id: string
  name: string
  product_variants: { id: string; name: string }[]
}

/** The catalogue after a season: products added, renamed, hidden, copied and removed, stock counted, prices changed and changed back. */
export async function changeCatalogue(shop: LivedInShop, { admin, brother }: People): Promise<void> {
  const { client } = admin
  const shelf = await product(shop, 'Chisel Nose Popper 150mm/30G')
  const renamed = await addProduct(client, { name: 'Copper Spoon', price: 85, stock_quantity: 40 })
  const hidden = await addProduct(client, { name: 'Pencil Popper', price: 120, stock_quantity: 5 })
  const removed = await addProduct(client, { name: 'Paddle Tail', price: 45, stock_quantity: 3 })
  await addProduct(client, {
    name: 'Feather Jig',
    price: 60,
    status: 'draft',
    publish_at: '2999-01-01T05:00:00Z',
  })
  await addProduct(client, { name: 'Custom Stick Bait', price: 650, made_to_order: true })

  await rpc(client, 'save_product', {
    product_id: renamed,
    changes: {
      product: { name: { was: 'Copper Spoon', now: 'Brass Spoon' } },
      added: { new: { name: 'Hammered', sku: 'SPN-H', stock_quantity: 12 } },
    },
  })
  const copper = await product(shop, 'Brass Spoon')
  await unwrap(
    'slug',
    client
      .from('products')
      .update({ slug: 'brass-spoon', [LOW_STOCK_THRESHOLD]: 4 })
      .eq('id', copper.id),
  )
  await unwrap('hide', client.from('products').update({ status: 'hidden' }).eq('id', hidden))
  await rpc(client, 'duplicate_product', { product_id: shelf.id })
  await unwrap('remove', client.from('products').delete().eq('id', removed))
  await rpc(client, 'set_low_stock_threshold', { at_most: 3 })
  const variant_id = shelf.product_variants[0]?.id
  await mapInOrder(['made', 'lost', 'expo'], (reason, index) =>
    rpc(client, 'adjust_stock', {
      variant_id,
      reason,
      quantity: 20 - 9 * index,
      note: 'Season',
      key: crypto.randomUUID(),
    }),
  )
  await shop.sql('update public.product_variants set stock_quantity = stock_quantity + 200')
  await changeAndUndo(shop, { admin, brother })
}

/** Makes two changes and undoes one, so that the history has a change, its undo and a lasting change. */
async function changeAndUndo(
  { sql }: LivedInShop,
  { admin, brother }: Pick<People, 'admin' | 'brother'>,
): Promise<void> {
  await unwrap('code', admin.client.from('promo_codes').update({ discount_value: 8 }).eq('code', '5OFFFIRST'))
  const [first] = await sql<{ id: string }>(`select id from public.promo_codes where code = '5OFFFIRST'`)
  const change_id = await rpc<number>(admin.client, 'my_last_change', {
    table_name: 'promo_codes',
    row_id: first?.id,
  })
  await rpc(admin.client, 'undo_change', { change_id })
  const terms = { offers_locker: true, shipping_rate: 110 }
  await unwrap('settings', brother.client.from('shop_settings').update(terms).eq('id', 'shop'))
  await unwrap(
    'settings',
    brother.client.from('shop_settings').update({ shipping_rate: 100 }).eq('id', 'shop'),
  )
  const codes: Record<string, unknown>[] = [
    { code: 'SPRING', discount_type: 'percentage', discount_value: 10, per_customer_limit: 5 },
    { code: 'FREEPOST', discount_type: 'fixed', discount_value: 20, free_shipping: true, usage_limit: 50 },
    { code: 'OVER', discount_type: 'fixed', discount_value: 20, is_active: false },
  ]
  await mapInOrder(codes, (code) => unwrap('code', admin.client.from('promo_codes').insert(code)))
  const couriers = () => admin.client.from('courier_companies')
  await unwrap('courier', couriers().insert({ name: 'Kite Couriers', contact_person: 'Anele' }))
}

async function addProduct(client: People['admin']['client'], given: object): Promise<string> {
  const row = { description: 'Made by hand.', category: 'Others', ...given }
  const { id } = await unwrap<{ id: string }>(
    'product',
    client.from('products').insert(row).select('id').single(),
  )
  return id
}

export async function product({ sql }: LivedInShop, name: string): Promise<Product> {
  const [found] = await sql<Product & Record<string, unknown>>(
    `select p.id, p.name, (select jsonb_agg(jsonb_build_object('id', v.id, 'name', v.name) order by v.position)
       from public.product_variants v where v.product_id = p.id) as product_variants
     from public.products p where p.name = $1`,
    [name],
  )
  if (!found) throw new Error(`there is no ${name}`)
  return found
}
