import type { ShopClient } from '#database'
import { productPath } from '../paths.ts'

export interface Catch {
  id: string
  customerName: string
  description: string
  pictures: string[]
  /** What took it, if the sender said so and it is still sold. */
  lure: { name: string; path: string } | null
}

interface Wanted {
  atMost: number
  skipped?: number
  /** Of one lure only. */
  productId?: string
}

/** Photos that the brothers have approved, newest first. */
export async function listApprovedCatches(
  visitor: ShopClient,
  { atMost, skipped = 0, productId }: Wanted,
): Promise<Catch[]> {
  const approved = visitor
    .from('gallery_submissions')
    .select(
      'id, customer_name, description, image_url, image_urls, products(name, slug), product_variants(slug)',
    )
    .eq('status', 'approved')
    .order('created_at', { ascending: false })
    .order('id')
    .range(skipped, skipped + atMost - 1)
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
