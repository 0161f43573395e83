import { useCallback, useState } from 'react'
import { useForm, type Validation } from './use-form.ts'

const NOT_VALIDATED = { values: null, errors: {} }

/** A form whose validation, with its schemas, loads when the visitor starts to fill it in. Until then every field counts as valid. */
export function useLazyForm<Typed extends Record<string, string | boolean>, Values>(
  initial: Typed,
  load: () => Promise<(typed: Typed) => Validation<Typed, Values>>,
) {
  const [loaded, setLoaded] = useState<Awaited<ReturnType<typeof load>> | null>(null)
  const validate = useCallback((typed: Typed) => loaded?.(typed) ?? NOT_VALIDATED, [loaded])

  const loadValidation = useCallback(async () => {
    const imported = await load()
    setLoaded(() => imported)
    return imported
  }, [load])
  /** For the first focus: a failed load is retried, and reported, when the form is sent. */
  const prepare = () => void loadValidation().catch(() => {})

  return { ...useForm(initial, validate), loadValidation, prepare }
}
