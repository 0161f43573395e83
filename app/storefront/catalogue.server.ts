import type { SupabaseClient } from '@supabase/supabase-js'
import { z } from 'zod'
import type { Product } from '#domain/catalogue.ts'
import { PRODUCT_COLUMNS, productFrom, productRow } from './product-row.ts'

const availabilityRow = z.object({ variant_id: z.string(), available: z.number() })

/** All live products in the shop's order, with what of each colour can be bought now. */
export async function listProducts(supabase: SupabaseClient): Promise<Product[]> {
  const [products, availability] = await Promise.all([
    supabase
      .from('products')
      .select(PRODUCT_COLUMNS)
      .eq('status', 'live')
      .order('position')
      .order('created_at', { ascending: false }),
    supabase.from('product_availability').select('variant_id, available'),
  ])
  if (products.error) throw products.error
  if (availability.error) throw availability.error

  const available = new Map(
    availabilityRow
      .array()
      .parse(availability.data)
      .map((row) => [row.variant_id, row.available]),
  )
  return productRow
    .array()
    .parse(products.data)
    .map((row) => productFrom(row, available))
}
