import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { toastMutation } from './use-toast-mutation.ts'

const LIST = ['saved-views', 'orders'] as const
const OTHER_LIST = ['saved-views', 'products'] as const

/** Two loaded lists, and a mutation that renames their entries before the response arrives. */
function setUp(mutationFn: (name: string) => Promise<unknown>) {
  const queries = new QueryClient()
  for (const key of [LIST, OTHER_LIST]) queries.setQueryData(key, ['before'])
  const toast = vi.fn<() => void>()
  const mutation = toastMutation(
    {
      mutationFn,
      success: 'Renamed',
      invalidates: ['saved-views'],
      optimistic: (cache, name) => {
        for (const key of [LIST, OTHER_LIST]) cache.setQueryData(key, [name])
      },
    },
    { queries, toast },
  )
  const observer = new MutationObserver(queries, mutation)
  const shown = () => [queries.getQueryData(LIST), queries.getQueryData(OTHER_LIST)]
  return { rename: (name: string) => observer.mutate(name), shown, toast, queries }
}

it('shows an optimistic change before the response and restores every query when the change is rejected', async () => {
  const response = Promise.withResolvers<void>()
  const { rename, shown, toast } = setUp(() => response.promise)

  const renaming = rename('after')
  await vi.waitFor(() => expect(shown()).toEqual([['after'], ['after']]))
  response.reject(new Error('The name is taken.'))

  await expect(renaming).rejects.toThrow('The name is taken.')
  expect(shown()).toEqual([['before'], ['before']])
  expect(toast).toHaveBeenCalledExactlyOnceWith({
    title: 'Error',
    description: 'The name is taken.',
    tone: 'destructive',
  })
})

it('keeps what was loaded after an optimistic change when the change fails, and marks all its queries as out of date', async () => {
  const response = Promise.withResolvers<void>()
  const { rename, shown, queries } = setUp(() => response.promise)

  const renaming = rename('after')
  await vi.waitFor(() => expect(shown()).toEqual([['after'], ['after']]))
  queries.setQueryData(LIST, ['loaded since'])
  response.reject(new TypeError('Failed to fetch'))

  await expect(renaming).rejects.toThrow('Failed to fetch')
  expect(shown()).toEqual([['loaded since'], ['before']])
  expect([LIST, OTHER_LIST].map((key) => queries.getQueryState(key)?.isInvalidated)).toEqual([true, true])
})

it('keeps an accepted change, marks its queries as out of date and shows one toast', async () => {
  const { rename, shown, toast, queries } = setUp(() => Promise.resolve())

  await rename('after')

  expect(shown()).toEqual([['after'], ['after']])
  expect(queries.getQueryState(LIST)?.isInvalidated).toBe(true)
  expect(toast).toHaveBeenCalledExactlyOnceWith({ title: 'Renamed' })
})

it('does not let a load that began before the change overwrite the shown change', async () => {
  const response = Promise.withResolvers<void>()
  const { rename, shown, queries } = setUp(() => response.promise)
  const load = Promise.withResolvers<string[]>()
  const loading = queries.fetchQuery({ queryKey: LIST, queryFn: () => load.promise }).catch(() => undefined)

  const renaming = rename('after')
  await vi.waitFor(() => expect(shown()[0]).toEqual(['after']))
  load.resolve(['before'])
  await loading

  expect(shown()[0]).toEqual(['after'])
  response.resolve()
  await renaming
})
