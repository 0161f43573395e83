import { useState } from 'react'
import { useToast } from '#app/ui/toaster.tsx'

/** Runs one submission at a time; what nobody expected is told in the shop's words and logged. */
export function useSubmission() {
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)

  async function submit(work: () => Promise<void>) {
    if (isBusy) return
    setIsBusy(true)
    try {
      await work()
    } catch (error) {
      console.error(error)
      toast({ title: 'Error', description: 'An unexpected error occurred', tone: 'destructive' })
    } finally {
      setIsBusy(false)
    }
  }

  return { isBusy, submit }
}
