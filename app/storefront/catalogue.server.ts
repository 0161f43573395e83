import type { SupabaseClient } from '@supabase/supabase-js'
import type { Product } from '#domain/catalogue.ts'
import { z } from '#domain/validation/schema.ts'
import { PRODUCT_COLUMNS, productFrom, productRow } from './product-row.ts'

const availabilityRow = z.object({ variant_id: z.string(), available: z.number() })

/** All live products in the shop's order, with what of each colour can be bought now. */
export async function listProducts(supabase: SupabaseClient): Promise<Product[]> {
  const [products, availability] = await Promise.all([
    inOrder(liveProducts(supabase)).throwOnError(),
    availabilities(supabase).throwOnError(),
  ])
  return productsFrom(products.data, availability.data)
}

/** The first so many of them. */
export async function listFirstProducts(supabase: SupabaseClient, atMost: number): Promise<Product[]> {
  const { data } = await inOrder(liveProducts(supabase)).limit(atMost).throwOnError()
  return withAvailability(supabase, data)
}

/** The live product of an address, or null. */
export async function findProduct(supabase: SupabaseClient, slug: string): Promise<Product | null> {
  const { data } = await liveProducts(supabase).eq('slug', slug).throwOnError()
  const [product] = await withAvailability(supabase, data)
  return product ?? null
}

function liveProducts(supabase: SupabaseClient) {
  return supabase.from('products').select(PRODUCT_COLUMNS).eq('status', 'live')
}

function inOrder(products: ReturnType<typeof liveProducts>) {
  return products.order('position').order('created_at', { ascending: false })
}

function availabilities(supabase: SupabaseClient) {
  return supabase.from('product_availability').select('variant_id, available')
}

async function withAvailability(supabase: SupabaseClient, products: unknown): Promise<Product[]> {
  const variants = z
    .array(productRow)
    .parse(products)
    .flatMap(({ product_variants }) => product_variants.map(({ id }) => id))
  const { data } = await availabilities(supabase).in('variant_id', variants).throwOnError()
  return productsFrom(products, data)
}

function productsFrom(products: unknown, availability: unknown): Product[] {
  const available = new Map(
    z
      .array(availabilityRow)
      .parse(availability)
      .map((row) => [row.variant_id, row.available]),
  )
  return z
    .array(productRow)
    .parse(products)
    .map((row) => productFrom(row, available))
}
