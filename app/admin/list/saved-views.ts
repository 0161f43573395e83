import { useQueries } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { Tables } from '#database'
import { readView, type List } from './list.ts'
import { countRows } from './load-rows.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

/** A named view; `address` is the list's query string: `?status=new`. */
export type NamedView = Pick<Tables<'saved_views'>, 'name' | 'address'>

/** A personal view, visible to its owner only. */
export type SavedView = NamedView & Pick<Tables<'saved_views'>, 'id'>

export function useSavedViews(list: string) {
  return useBackendQuery(
    ['saved-views', list],
    (backend) => backend.from('saved_views').select('id, name, address').eq('list', list).order('created_at'),
    { staleTime: Infinity },
  )
}

export function useSaveView(list: string) {
  return useToastMutation({
    mutationFn: ({ name, address }: NamedView) =>
      queryBackend((backend) => backend.from('saved_views').insert({ list, name, address })),
    success: ({ name }) => ({ title: `View “${name}” saved` }),
    invalidates: ['saved-views'],
  })
}

export function useDeleteView() {
  return useToastMutation({
    mutationFn: ({ id }: SavedView) =>
      queryBackend((backend) => backend.from('saved_views').delete().eq('id', id)),
    success: ({ name }) => ({ title: `View “${name}” deleted` }),
    invalidates: ['saved-views'],
  })
}

/** Returns the row count of each view by its address, from the same query that the view runs. */
export function useViewCounts<Row>(list: List<Row>, views: readonly NamedView[]): Map<string, number> {
  const counts = useQueries({
    queries: views.map(({ address }) => ({
      queryKey: [list.name, 'count', address],
      queryFn: () => countRows(list, readView(list, new URLSearchParams(address))),
    })),
  })
  return new Map(
    views.flatMap(({ address }, index) => {
      const count = counts[index]?.data
      return count === undefined ? [] : [[address, count] as const]
    }),
  )
}
