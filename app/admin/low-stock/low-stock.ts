import { useQuery } from '@tanstack/react-query'
import { askBackend } from '#app/session/ask-backend.ts'
import { LOW_STOCK_AT_MOST } from '#domain/low-stock.ts'

/** A colour that is running out. */
export interface LowVariant {
  id: string
  name: string
  image_url: string | null
  stock_quantity: number
  available: number
  products: { id: string; name: string; made_to_order: boolean }
}

/** Fewest first. Lures made to order are never short. */
export function useLowStock() {
  return useQuery({ queryKey: ['products', 'low-stock'], queryFn: loadLowStock })
}

async function loadLowStock(): Promise<LowVariant[]> {
  const left = await askBackend<{ variant_id: string; available: number }[]>((backend) =>
    backend.from('product_availability').select('variant_id, available').lte('available', LOW_STOCK_AT_MOST),
  )
  if (left.length === 0) return []

  const availableOf = new Map(left.map(({ variant_id, available }) => [variant_id, available]))
  const variants = await askBackend<Omit<LowVariant, 'available'>[]>((backend) =>
    backend
      .from('product_variants')
      .select('id, name, image_url, stock_quantity, products!inner(id, name, made_to_order)')
      .in('id', [...availableOf.keys()])
      .eq('products.made_to_order', false)
      .overrideTypes<Omit<LowVariant, 'available'>[], { merge: false }>(),
  )
  return variants
    .map((variant) => ({ ...variant, available: availableOf.get(variant.id) ?? 0 }))
    .toSorted((a, b) => a.available - b.available || a.products.name.localeCompare(b.products.name))
}
