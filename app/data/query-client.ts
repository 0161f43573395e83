import { QueryCache, QueryClient, type QueryPersister } from '@tanstack/react-query'
import { afterPress } from '#app/ui/after-press.ts'

/**
 * Returns a cache for queries, with the settings of every page. `networkMode: 'always'` makes calls fail at once when offline, with the
 * form still open. By default the library would pause silently and save later, possibly after the user has cancelled.
 */
export function createQueryClient(onLoadError?: (error: Error) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: onLoadError }),
    defaultOptions: {
      queries: {
        retry: 1,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        refetchOnReconnect: true,
        persister: holdDuringPress,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/** What has loaded is drawn once a press is over: it may move the pressed button. The library passes every load through this function. */
const holdDuringPress: QueryPersister = async (load, context) => {
  try {
    return await load(context)
  } finally {
    await new Promise<void>((resolve) => afterPress(resolve))
  }
}
