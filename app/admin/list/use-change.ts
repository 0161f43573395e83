import { useMutation, useQueryClient } from '@tanstack/react-query'
import { isRefusal } from '#app/session/refusal.ts'
import { useToast, type Toast } from '#app/ui/toaster.tsx'

interface Change<Input, Result> {
  change: (input: Input) => Promise<Result>
  /** What the toast says when it is done. */
  done: string | ((input: Input) => Toast)
  /** The lists that show what was changed: the first word of their query keys. */
  refreshes: readonly string[]
  /** Replaces the backend's message where the failure has a text of its own. */
  failure?: string
}

/** A change an admin makes: tells how it went and brings the lists up to date. A failed one keeps what was typed. */
export function useChange<Input, Result>({ change, done, refreshes, failure }: Change<Input, Result>) {
  const toast = useToast()
  const queryClient = useQueryClient()
  // Whatever is done may be one thing less to do.
  const refresh = () =>
    Promise.all(
      [...refreshes, 'waiting-work'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
    )

  return useMutation({
    mutationFn: change,
    onSuccess: async (_result, input) => {
      toast(typeof done === 'string' ? { title: done } : done(input))
      await refresh()
    },
    onError: (error) => {
      // A refusal often means that what was shown is out of date.
      if (isRefusal(error.cause)) void refresh()
      toast({ title: 'Error', description: failure ?? error.message, tone: 'destructive' })
    },
  })
}
