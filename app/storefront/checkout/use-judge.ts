import { useCallback, useState } from 'react'
import type { Draft } from './draft.ts'
import type { judgeDraft } from './judge-draft.ts'

type Judge = typeof judgeDraft

const notJudgedYet = { values: null, errors: null }

/** What judges the form is fetched when somebody begins to fill it in; nothing is wrong before that. */
export function useJudge() {
  const [judge, setJudge] = useState<Judge | null>(null)

  const bringJudge = useCallback(async (): Promise<Judge> => {
    const brought = (await import('./judge-draft.ts')).judgeDraft
    setJudge(() => brought)
    return brought
  }, [])
  const judgeTyped = useCallback((typed: Draft) => judge?.(typed) ?? notJudgedYet, [judge])

  return { judgeTyped, bringJudge }
}
