import { useNavigate, type NavigateOptions } from 'react-router'
import { useIsStillHere } from './use-is-still-here.ts'

/** Returns a function that opens a page once an answer has come, unless another page was opened meanwhile. */
export function useLateNavigate(): (path: string, options?: NavigateOptions) => void {
  const navigate = useNavigate()
  const isStillHere = useIsStillHere()
  return (path, options) => {
    if (isStillHere()) void navigate(path, options)
  }
}
