import { useState } from 'react'
import { useToast } from '#app/ui/toaster.tsx'

/**
 * Runs one submission at a time; logs unexpected errors and shows a toast. When `task` returns true, the customer is signed in
 * and leaves the page, so the form stays busy.
 */
export function useSubmission() {
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)

  async function submit(task: () => Promise<boolean>) {
    if (isBusy) return
    setIsBusy(true)
    try {
      if (await task()) return
    } catch (error) {
      console.error(error)
      toast({ title: 'Error', description: 'An unexpected error occurred', tone: 'destructive' })
    }
    setIsBusy(false)
  }

  return { isBusy, submit }
}
