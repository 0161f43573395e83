import type { SupabaseClient } from '@supabase/supabase-js'
import { productPath } from '../paths.ts'

export interface Catch {
  id: string
  customerName: string
  description: string
  pictures: string[]
  /** What took it, if the sender said so and it is still sold. */
  lure: { name: string; path: string } | null
}

interface SubmissionRow {
  id: string
  customer_name: string
  description: string
  image_url: string
  image_urls: string[] | null
  products: { name: string; slug: string } | null
  product_variants: { slug: string } | null
}

/** The photos that the brothers have approved, newest first: all of them, or the newest few of one lure. */
export async function listApprovedCatches(
  visitor: SupabaseClient,
  lure?: { productId: string; atMost: number },
): Promise<Catch[]> {
  const approved = visitor
    .from('gallery_submissions')
    .select(
      'id, customer_name, description, image_url, image_urls, products(name, slug), product_variants(slug)',
    )
    .eq('status', 'approved')
    .order('created_at', { ascending: false })
  const { data, error } = await (
    lure ? approved.eq('product_id', lure.productId).limit(lure.atMost) : approved
  ).overrideTypes<SubmissionRow[], { merge: false }>()
  if (error) throw error

  return data.map((row) => ({
    id: row.id,
    customerName: row.customer_name,
    description: row.description,
    pictures: row.image_urls?.length ? row.image_urls : [row.image_url],
    lure: row.products && {
      name: row.products.name,
      path: productPath(row.products, row.product_variants),
    },
  }))
}
