import { useRef, useState } from 'react'

/** Runs one task of a form at a time. Its exceptions are logged and passed to `onError`. */
export function useTask(onError: (error: unknown) => void) {
  const [isBusy, setIsBusy] = useState(false)
  // The state is too late for a second click.
  const isRunning = useRef(false)

  async function run(task: () => Promise<unknown>): Promise<void> {
    if (isRunning.current) return
    isRunning.current = true
    setIsBusy(true)
    try {
      await task()
    } catch (error) {
      console.error(error)
      onError(error)
    } finally {
      isRunning.current = false
      setIsBusy(false)
    }
  }

  return { isBusy, run }
}
