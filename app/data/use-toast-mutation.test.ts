import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { NoResponseError } from './query-backend.ts'
import { toastMutation, type AreaMutations } from './use-toast-mutation.ts'

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

/** A list on an open page, whose second load takes `loadMs` of fake timers. */
function openList(loadMs: number) {
  vi.useFakeTimers()
  const { rename, toast, queries } = setUp(() => Promise.resolve())
  const load = () => new Promise<string[]>((resolve) => setTimeout(() => resolve(['loaded']), loadMs))
  const list = new QueryObserver(queries, { queryKey: LIST, queryFn: load, staleTime: Infinity })
  return { close: list.subscribe(() => undefined), rename, toast, queries }
}

describe('the toast of a saved change', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is shown once the change is loaded, because its dialog closes only then and an Undo needs it', async () => {
    const { rename, toast, close } = openList(500)

    const renaming = rename('after')
    await vi.advanceTimersByTimeAsync(400)
    expect(toast).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(200)
    await renaming

    expect(toast).toHaveBeenCalledExactlyOnceWith({ title: 'Renamed' })
    close()
  })

  it('comes in the order of the answers, also when a later change has nothing to load', async () => {
    const { rename, toast, queries, close } = openList(500)
    const quick = toastMutation(
      { mutationFn: () => Promise.resolve(), success: 'Then saved', invalidates: [] },
      { queries, toast },
    )

    const first = rename('after')
    await vi.advanceTimersByTimeAsync(100)
    const second = new MutationObserver(queries, quick).mutate(undefined)
    await vi.advanceTimersByTimeAsync(4000)
    await Promise.all([first, second])

    expect(toast.mock.calls).toEqual([[{ title: 'Renamed' }], [{ title: 'Then saved' }]])
    close()
  })

  it('does not wait longer than three seconds for what a slow connection loads', async () => {
    const { rename, toast, close } = openList(60_000)

    let isPending = true
    const renaming = rename('after').finally(() => (isPending = false))
    await vi.advanceTimersByTimeAsync(3100)

    expect(toast).toHaveBeenCalledExactlyOnceWith({ title: 'Renamed' })
    expect(isPending, 'a second change of the old value would be refused').toBe(true)
    await vi.advanceTimersByTimeAsync(60_000)
    await renaming
    close()
  })
})

it('marks its queries as out of date after a change that may have been made although its response was lost', async () => {
  const queries = new QueryClient()
  queries.setQueryData(LIST, ['before'])
  const mutation = toastMutation(
    { mutationFn: () => Promise.reject(new NoResponseError()), invalidates: ['saved-views'] },
    { queries, toast: () => undefined },
  )

  await expect(new MutationObserver(queries, mutation).mutate(undefined)).rejects.toThrow(
    'We couldn’t reach the shop.',
  )

  expect(queries.getQueryState(LIST)?.isInvalidated).toBe(true)
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

const fail = () => Promise.reject(new Error('for developers'))

describe('the toast of a change', () => {
  const queries = new QueryClient()

  /** Runs a mutation and returns the toasts that it shows. */
  async function toastsOf(
    options: Partial<Parameters<typeof toastMutation<string, string>>[0]>,
    area?: Partial<AreaMutations>,
  ) {
    const toast = vi.fn<(toast: Toast) => void>()
    const surroundings = {
      queries,
      toast,
      area: { invalidates: [], isShownByForm: () => false, undoAction: () => undefined, ...area },
    }
    const mutation = toastMutation<string, string>(
      { mutationFn: async () => 'saved', invalidates: [], ...options },
      surroundings,
    )
    await new MutationObserver(queries, mutation).mutate('name').catch(() => undefined)
    return toast.mock.calls.map(([shown]) => shown)
  }

  it('replaces the message of an error by the text for the reader', async () => {
    vi.spyOn(console, 'error').mockReturnValueOnce()
    const failed = { mutationFn: fail }

    expect(await toastsOf({ ...failed, errorText: 'Please try again.' })).toEqual([
      { title: 'Error', description: 'Please try again.', tone: 'destructive' },
    ])
    expect(await toastsOf({ ...failed, errorText: ({ message }) => `Sorry: ${message}` })).toEqual([
      { title: 'Error', description: 'Sorry: for developers', tone: 'destructive' },
    ])
  })

  it('shows no toast for an error that the form or the area shows itself', async () => {
    expect(await toastsOf({ mutationFn: fail, isShownByForm: () => true })).toEqual([])
    expect(await toastsOf({ mutationFn: fail }, { isShownByForm: () => true })).toEqual([])
  })

  it('offers to undo the change of a row where the area allows it', async () => {
    const undo = { label: 'Undo', run: () => {} }
    const options = { success: 'Saved', undoes: (id: string) => ({ table: 'orders', id }) }

    expect(await toastsOf(options, { undoAction: ({ id }) => (id === 'name' ? undo : undefined) })).toEqual([
      { title: 'Saved', action: undo },
    ])
    expect(await toastsOf(options)).toEqual([{ title: 'Saved' }])
  })
})
