import { useState } from 'react'
import { useToast } from '#app/ui/toaster.tsx'

/**
 * Runs one submission at a time; what nobody expected is told in the shop's words and logged. One that answers `true` has signed
 * in: the page is about to be left, and is not given back for another press.
 */
export function useSubmission() {
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)

  async function submit(work: () => Promise<boolean>) {
    if (isBusy) return
    setIsBusy(true)
    try {
      if (await work()) return
    } catch (error) {
      console.error(error)
      toast({ title: 'Error', description: 'An unexpected error occurred', tone: 'destructive' })
    }
    setIsBusy(false)
  }

  return { isBusy, submit }
}
