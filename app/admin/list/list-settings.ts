import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import { replaceData } from '#app/data/query-keys.ts'
import { useToast } from '#app/ui/toaster.tsx'
import type { Tables } from '#database'

/** One person's settings of a list. Columns are identified by their labels. */
export type ListSettings = Pick<Tables<'list_settings'>, 'hidden_columns' | 'density'>

const DEFAULT_SETTINGS: ListSettings = { hidden_columns: [], density: 'comfortable' }

export function useListSettings(list: string) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const queryKey = ['list-settings', list] as const

  const query = useQuery({
    queryKey,
    staleTime: Infinity,
    queryFn: async () => {
      const rows = await queryBackend((backend) =>
        backend.from('list_settings').select('hidden_columns, density').eq('list', list),
      )
      return rows[0] ?? DEFAULT_SETTINGS
    },
  })
  const change = useMutation({
    // One at a time, so that the settings chosen last are saved last.
    scope: { id: `list-settings:${list}` },
    mutationKey: queryKey,
    mutationFn: (settings: ListSettings) =>
      queryBackend((backend) =>
        backend.from('list_settings').upsert({ list, ...settings }, { onConflict: 'user_id,list' }),
      ),
    onMutate: (settings) => replaceData(queryClient, queryKey, settings),
    onError: (error) => toast({ title: 'Error', description: error.message, tone: 'destructive' }),
    onSettled: () => {
      const isLast = queryClient.isMutating({ mutationKey: queryKey }) === 1
      if (isLast) void queryClient.invalidateQueries({ queryKey })
    },
  })

  return {
    settings: query.data ?? DEFAULT_SETTINGS,
    isPending: query.isPending,
    change: change.mutate,
  }
}
