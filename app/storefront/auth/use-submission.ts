import { useState } from 'react'
import { authErrorCode } from '#app/data/backend-error.ts'
import { useToast } from '#app/ui/toaster.tsx'

/**
 * Runs one submission at a time. Shows a refusal of the sign-in service as a toast with the title `refused`, and logs other errors.
 * When `task` returns true, the customer is signed in and leaves the page, so the form stays busy.
 */
export function useSubmission() {
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)

  async function submit(task: () => Promise<boolean>, refused: string) {
    if (isBusy) return
    setIsBusy(true)
    try {
      if (await task()) return
    } catch (error) {
      const refusal = error instanceof Error && authErrorCode(error) ? error.message : null
      if (refusal === null) console.error(error)
      toast({
        title: refusal === null ? 'Error' : refused,
        description: refusal ?? 'An unexpected error occurred',
        tone: 'destructive',
      })
    }
    setIsBusy(false)
  }

  return { isBusy, submit }
}
