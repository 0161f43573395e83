import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { askBackend } from '#app/session/ask-backend.ts'
import { shop } from '#shop'
import type { DayOfSales, Period } from './period.ts'

/** What sold under one name, in rand at the price of its lines. */
export interface Seller {
  product_name: string
  product_variant?: string
  orders: number
  pieces: number
  revenue: number
}

export interface ProvinceSales {
  /** `null` for orders that were handed over in person. */
  province: string | null
  orders: number
  revenue: number
}

/** A colour that lies on the shelf and was not bought. */
export interface Unsold {
  product_name: string
  product_variant: string
  stock: number
  last_sold: string | null
}

/** One question about a period; the answer of the last one stays while the next is on its way. */
function useFigures<Row>(question: string, { from, to }: Period) {
  return useQuery({
    queryKey: ['orders', question, from, to],
    placeholderData: keepPreviousData,
    queryFn: () =>
      askBackend<Row[]>((backend) =>
        backend.rpc(question, { from_day: from, to_day: to, zone: shop.timeZone }, { get: true }),
      ),
  })
}

export const useSalesByDay = (period: Period) => useFigures<DayOfSales>('sales_by_day', period)
export const useSalesByProduct = (period: Period) => useFigures<Seller>('sales_by_product', period)
export const useSalesByColour = (period: Period) => useFigures<Seller>('sales_by_colour', period)
export const useSalesByProvince = (period: Period) => useFigures<ProvinceSales>('sales_by_province', period)
export const useUnsoldColours = (period: Period) => useFigures<Unsold>('unsold_colours', period)
