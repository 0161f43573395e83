import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryBackend, type RowsQuery } from '#app/session/query-backend.ts'
import type { ShopClient } from '#database'
import { shop } from '#shop'
import type { Period } from './period.ts'

interface Wanted {
  from_day: string
  to_day: string
  zone: string
}

/** One question about a period; the answer of the last one stays while the next is on its way. */
function useFigures<Row>(
  question: string,
  { from, to }: Period,
  ask: (backend: ShopClient, wanted: Wanted) => RowsQuery<Row>,
) {
  return useQuery({
    queryKey: ['orders', question, from, to],
    placeholderData: keepPreviousData,
    queryFn: () =>
      queryBackend((backend) => ask(backend, { from_day: from, to_day: to, zone: shop.timeZone })),
  })
}

export const useSalesByDay = (period: Period) =>
  useFigures('sales_by_day', period, (backend, wanted) => backend.rpc('sales_by_day', wanted, { get: true }))

/** What sold under one name, in rand at the price of its lines. */
export const useSalesByProduct = (period: Period) =>
  useFigures('sales_by_product', period, (backend, wanted) =>
    backend.rpc('sales_by_product', wanted, { get: true }),
  )

export const useSalesByColour = (period: Period) =>
  useFigures('sales_by_variant', period, (backend, wanted) =>
    backend.rpc('sales_by_variant', wanted, { get: true }),
  )

export const useSalesByProvince = (period: Period) =>
  useFigures('sales_by_province', period, (backend, wanted) =>
    backend.rpc('sales_by_province', wanted, { get: true }),
  )

/** Colours that lie on the shelf and were not bought. */
export const useUnsoldColours = (period: Period) =>
  useFigures('unsold_variants', period, (backend, wanted) =>
    backend.rpc('unsold_variants', wanted, { get: true }),
  )
