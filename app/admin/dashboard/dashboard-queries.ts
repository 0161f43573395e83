import { useQuery } from '@tanstack/react-query'
import { askCounting, askForAll } from '#app/session/ask-backend.ts'
import type { Sale } from './revenue.ts'

/** Newest first. */
export function useSales() {
  return useQuery({
    queryKey: ['orders', 'sales'],
    queryFn: () =>
      askForAll<Sale>((backend, { first, last }) =>
        backend
          .from('orders')
          .select('id, total_amount, created_at, status, paid_at')
          .order('created_at', { ascending: false })
          .order('id')
          .range(first, last),
      ),
  })
}

/** How many rows a table has; the name is the first word of that list's query keys, so changes refresh it too. */
export function useCount(table: 'profiles' | 'products') {
  return useQuery({ queryKey: [table, 'count'], queryFn: () => countRows(table) })
}

async function countRows(table: string): Promise<number> {
  const { count } = await askCounting((backend) =>
    backend.from(table).select('id', { count: 'exact', head: true }),
  )
  return count
}
