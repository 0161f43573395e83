import { useEffect, useState } from 'react'

const SHOWN_MS = 2_000

/** Copies texts. `isCopied` is true for two seconds after each. Rejects when the browser denies access to the clipboard. */
export function useCopy() {
  const [isCopied, setIsCopied] = useState(false)

  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])

  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text)
    setIsCopied(true)
  }
  return { isCopied, copy }
}
