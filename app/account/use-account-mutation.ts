import { useMutation, useQueryClient } from '@tanstack/react-query'
import { invalidateSubjects, type QuerySubject } from '#app/data/query-keys.ts'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'

interface MutationOptions<Input, Result> {
  mutationFn: (input: Input) => Promise<Result>
  success?: Toast
  /** The error toast, without its tone. */
  failure: Toast
  invalidates: readonly QuerySubject[]
}

/** A change of the account that shows its outcome as a toast. */
export function useAccountMutation<Input, Result>(options: MutationOptions<Input, Result>) {
  const { mutationFn, success, failure, invalidates } = options
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn,
    onSuccess: () => success && toast(success),
    onError: (error) => {
      console.error(failure.description, error)
      toast({ ...failure, tone: 'destructive' })
    },
    onSettled: () => invalidateSubjects(queries, invalidates),
  })
}
