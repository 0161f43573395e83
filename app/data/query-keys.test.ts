import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { invalidateSubjects, replaceData } from './query-keys.ts'

const KEY = ['saved-views', 'orders'] as const

/** A list on an open page. Its loads wait for an answer, and are collected in `loads`. */
function openList() {
  const queries = new QueryClient()
  const loads: PromiseWithResolvers<string>[] = []
  const list = new QueryObserver<string>(queries, {
    queryKey: KEY,
    queryFn: () => {
      const load = Promise.withResolvers<string>()
      loads.push(load)
      return load.promise
    },
  })
  const close = list.subscribe(() => undefined)
  return { queries, loads, close, shown: () => queries.getQueryData(KEY) }
}

it('begins a first load again that may have read the data before it changed', async () => {
  const { queries, loads, close, shown } = openList()

  const fresh = invalidateSubjects(queries, ['saved-views'])
  expect(loads).toHaveLength(2)
  loads[0]?.resolve('before')
  loads[1]?.resolve('after')
  await fresh

  expect(shown()).toBe('after')
  close()
})

it('keeps newer data when the answer to an earlier load arrives after it', async () => {
  const { queries, loads, close, shown } = openList()

  replaceData(queries, KEY, 'saved')
  loads[0]?.resolve('before')
  await new Promise((resolve) => setTimeout(resolve))

  expect(shown()).toBe('saved')
  close()
})
