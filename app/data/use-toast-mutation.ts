import { useMutation, useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { Args, ShopDatabase } from '#database'
import { errorToast, type Toast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { endsWithin } from './ends-within.ts'
import { queryBackend } from './query-backend.ts'
import { invalidateSubjects, ofSubjects, type QuerySubject } from './query-keys.ts'

/** A saved change is reported after this time, even if a slow or lost connection keeps what it changed from being loaded. */
const FRESH_WITHIN_MS = 3000

/** Toasts come in the order of their answers: the newest one replaces the others, and its Undo is of the latest change. */
let lastToast: Promise<unknown> = Promise.resolve()

export interface RowReference {
  table: string
  id: string
}

interface ToastMutation<Input, Result> {
  mutationFn: (input: Input) => Promise<Result>
  /** The success toast, or its title. */
  success?: string | ((input: Input, result: Result) => Toast)
  /** The subjects whose queries become out of date. */
  invalidates: readonly QuerySubject[]
  /** Shows the change in the cache at once; an error restores and reloads the queries of these subjects. */
  optimistic?: (queries: QueryClient, input: Input) => void
  /** Replaces the backend's message in the error toast. */
  errorText?: string | ((error: Error) => string)
  /** Errors that the form shows itself, without a toast. */
  isShownByForm?: (error: Error) => boolean
  /** The row whose change the toast can undo; only for tables in `private.history_tables`. */
  undoes?: (input: Input, result: Result) => RowReference | null
}

/** What an area of the shop adds to its mutations. */
export interface AreaMutations {
  invalidates: readonly QuerySubject[]
  isShownByForm: (error: Error) => boolean
  /** Returns the action that undoes the latest change of the row; `undefined` for people who may not undo. */
  undoAction: (changed: RowReference) => Toast['action']
}

const NOTHING: AreaMutations = { invalidates: [], isShownByForm: () => false, undoAction: () => undefined }

export const AreaMutationsContext = createContext(NOTHING)

/** A mutation that shows its outcome as a toast and invalidates the affected queries. */
export function useToastMutation<Input = void, Result = unknown>(options: ToastMutation<Input, Result>) {
  const area = use(AreaMutationsContext)
  return useMutation(toastMutation(options, { queries: useQueryClient(), toast: useToast(), area }))
}

/** A toast mutation that calls a function of the database with its input as the arguments. */
export function useRpcMutation<Name extends keyof ShopDatabase['public']['Functions']>(
  name: Name,
  options: Omit<ToastMutation<Args<Name>, unknown>, 'mutationFn'>,
) {
  return useToastMutation({
    ...options,
    mutationFn: (args: Args<Name>) => queryBackend((backend) => backend.rpc(name, args)),
  })
}

interface Surroundings {
  queries: QueryClient
  toast: (toast: Toast) => void
  area?: AreaMutations
}

/** A query before an optimistic change. */
interface Snapshot {
  key: QueryKey
  data: unknown
  /** Its data with the change. */
  shown: unknown
}

/** Returns the library's options for `useToastMutation`. */
export function toastMutation<Input, Result>(
  { mutationFn, success, invalidates, optimistic, ...options }: ToastMutation<Input, Result>,
  { queries, toast, area = NOTHING }: Surroundings,
) {
  const refresh = () => invalidateSubjects(queries, [...invalidates, ...area.invalidates])
  return {
    mutationFn,
    onMutate: async (input: Input) => {
      if (!optimistic) return []
      await queries.cancelQueries(ofSubjects(invalidates))
      const before = queries.getQueriesData(ofSubjects(invalidates))
      optimistic(queries, input)
      return before.map(([key, data]) => ({ key, data, shown: queries.getQueryData(key) }))
    },
    onSuccess: async (result: Result, input: Input) => {
      const shown = typeof success === 'string' ? { title: success } : success?.(input, result)
      const changed = options.undoes?.(input, result)
      // Before a later change follows.
      const action = changed ? area.undoAction(changed) : undefined
      const fresh = refresh()
      lastToast = Promise.all([lastToast, endsWithin(fresh, FRESH_WITHIN_MS)])
      await lastToast
      // Last, when the dialog closes: a toast that moved out of it would lose the press on its Undo, and a form that has not loaded
      // the change would keep it after the Undo.
      if (shown) toast(action ? { ...shown, action } : shown)
      // Pending until then: a control that still shows the old value would be refused as out of date.
      await fresh
    },
    onError: async (error: Error, _input: Input, before: Snapshot[] | undefined) => {
      for (const { key, data, shown } of before ?? []) {
        // Data that was loaded or changed since is newer than the snapshot.
        if (queries.getQueryData(key) === shown) queries.setQueryData(key, data)
      }
      // A rejected change often means that the shown data is out of date, and a change without a response may have been made.
      void refresh()
      if (area.isShownByForm(error) || options.isShownByForm?.(error)) return
      await lastToast
      const { errorText = error.message } = options
      if (typeof options.errorText === 'string') console.error(options.errorText, error)
      const description = typeof errorText === 'function' ? errorText(error) : errorText
      toast(errorToast(description))
    },
  }
}
