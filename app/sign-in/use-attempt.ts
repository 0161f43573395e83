import { useState } from 'react'

const UNREACHABLE = 'We couldn’t reach the shop. Check your connection and try again.'

/** The state of a form that sends one attempt at a time and shows why it failed. */
export function useAttempt() {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)

  /** `work` resolves to an error message, or to null. Its exceptions are logged and shown as the text of `unexpected`. */
  async function attempt(
    work: () => Promise<string | null>,
    unexpected: (error: unknown) => string = () => UNREACHABLE,
  ): Promise<boolean> {
    if (isBusy) return false
    setIsBusy(true)
    setProblem(null)
    const failure = await work().catch((error: unknown) => {
      console.error('the attempt failed', error)
      return unexpected(error)
    })
    setIsBusy(false)
    setProblem(failure)
    return failure === null
  }

  return { problem, isBusy, attempt, clearProblem: () => setProblem(null) }
}
