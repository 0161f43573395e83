import type { ShopClient } from '#database'
import { productPath } from '../paths.ts'

export interface Catch {
  id: string
  customerName: string
  description: string
  pictures: string[]
  /** The lure that the angler named, if it is still for sale. */
  lure: { name: string; path: string } | null
}

interface Options {
  limit: number
  offset?: number
  /** Limits the list to one product. */
  productId?: string
}

/** Returns approved catches, newest first. */
export async function listApprovedCatches(
  visitor: ShopClient,
  { limit, offset = 0, productId }: Options,
): Promise<Catch[]> {
  const approved = visitor
    .from('gallery_submissions')
    .select(
      'id, customer_name, description, image_url, image_urls, products(name, slug), product_variants(slug)',
    )
    .eq('status', 'approved')
    .order('created_at', { ascending: false })
    .order('id')
    .range(offset, offset + limit - 1)
  const { data, error } = await (productId ? approved.eq('product_id', productId) : approved)
  if (error) throw error

  return data.map((row) => ({
    id: row.id,
    customerName: row.customer_name,
    description: row.description,
    pictures: row.image_urls.length ? row.image_urls : [row.image_url],
    lure: row.products && {
      name: row.products.name,
      path: productPath(row.products, row.product_variants),
    },
  }))
}
