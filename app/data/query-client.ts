import { QueryCache, QueryClient } from '@tanstack/react-query'

/**
 * Returns a cache for queries, with the settings of every page. `networkMode: 'always'` makes calls fail at once when offline, with the
 * form still open. By default the library would pause silently and save later, possibly after the user has cancelled.
 */
export function createQueryClient(onLoadError?: (error: Error) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: onLoadError }),
    defaultOptions: {
      queries: { retry: 1, refetchOnWindowFocus: false, networkMode: 'always', refetchOnReconnect: true },
      mutations: { networkMode: 'always' },
    },
  })
}
