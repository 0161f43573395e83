import { useCallback, useState } from 'react'
import type { Draft } from './draft.ts'
import type { validateDraft } from './submission.ts'

type ValidateDraft = typeof validateDraft

const notValidated = { values: null, errors: null }

/** Loads the schemas when the visitor starts to fill in the form. Until then every field counts as valid. */
export function useLazyValidation() {
  const [loaded, setLoaded] = useState<ValidateDraft | null>(null)

  const loadValidation = useCallback(async (): Promise<ValidateDraft> => {
    const imported = (await import('./submission.ts')).validateDraft
    setLoaded(() => imported)
    return imported
  }, [])
  const validate = useCallback((typed: Draft) => loaded?.(typed) ?? notValidated, [loaded])

  return { validate, loadValidation }
}
