import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import type { BrowserClient } from '#database'
import { queryBackend, type BackendCall, type CallData } from './query-backend.ts'

type Options<Loaded, Shown> = UseQueryOptions<Loaded, Error, Shown>

/** A query whose function is one call of the backend: see `queryBackend`. */
export function useBackendQuery<Call extends BackendCall, Shown = CallData<Call>>(
  queryKey: Options<CallData<Call>, Shown>['queryKey'],
  build: (backend: BrowserClient) => Call,
  options?: Omit<Options<CallData<Call>, Shown>, 'queryKey' | 'queryFn'>,
) {
  return useQuery({ ...options, queryKey, queryFn: () => queryBackend(build) })
}
