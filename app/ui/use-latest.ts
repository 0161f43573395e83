import { useCallback, useLayoutEffect, useRef } from 'react'

/** Returns a function that returns the value of the last rendering, for code that goes on after it has waited. */
export function useLatest<Value>(value: Value): () => Value {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return useCallback(() => latest.current, [])
}
