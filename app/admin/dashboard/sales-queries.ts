import type { SalesQuery } from '#app/data/query-keys.ts'
import { type RowsQuery } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { BrowserClient } from '#database'
import { shop } from '#shop'
import type { Period } from './period.ts'

interface PeriodArguments {
  from_day: string
  to_day: string
  zone: string
}

/** Shows no rows of another period while one loads: the labels, links and comparisons around them belong to the new period. */
function useSalesQuery<Row>(
  name: SalesQuery,
  { from, to }: Period,
  buildQuery: (backend: BrowserClient, args: PeriodArguments) => RowsQuery<Row>,
) {
  return useBackendQuery(['orders', name, from, to], (backend) =>
    buildQuery(backend, { from_day: from, to_day: to, zone: shop.timeZone }),
  )
}

export const useSalesByDay = (period: Period) =>
  useSalesQuery('sales_by_day', period, (backend, args) => backend.rpc('sales_by_day', args, { get: true }))

/** Revenue in rand, at line prices. */
export const useSalesByProduct = (period: Period) =>
  useSalesQuery('sales_by_product', period, (backend, args) =>
    backend.rpc('sales_by_product', args, { get: true }),
  )

export const useSalesByColour = (period: Period) =>
  useSalesQuery('sales_by_variant', period, (backend, args) =>
    backend.rpc('sales_by_variant', args, { get: true }),
  )

export const useSalesByProvince = (period: Period) =>
  useSalesQuery('sales_by_province', period, (backend, args) =>
    backend.rpc('sales_by_province', args, { get: true }),
  )

/** Colours in stock that did not sell in the period. */
export const useUnsoldColours = (period: Period) =>
  useSalesQuery('unsold_variants', period, (backend, args) =>
    backend.rpc('unsold_variants', args, { get: true }),
  )
