import { useEffect, type Dispatch, type SetStateAction } from 'react'
import type { SessionUser } from '#app/data/stored-session.ts'
import { useOwnProfile } from '#app/data/use-own-profile.ts'
import type { Draft } from './draft.ts'
import { knownDetails, onlyWhereEmpty } from './known-details.ts'

/**
 * Fills empty fields from the customer's profile. Keeps what the customer has typed meanwhile, and fills the focused field when it is left
 * empty.
 */
export function usePrefill({ id, email, fullName }: SessionUser, setTyped: Dispatch<SetStateAction<Draft>>) {
  const { data: profile, isPending } = useOwnProfile(id)

  useEffect(() => {
    if (isPending) return
    const known = knownDetails({ email, fullName }, profile ?? null)
    const fill = (skipped?: string | null) =>
      setTyped((typed) => ({ ...typed, ...onlyWhereEmpty(typed, known, skipped) }))
    const focused = document.activeElement
    fill(focused?.getAttribute('name'))
    const fillSkipped = () => fill()
    focused?.addEventListener('blur', fillSkipped, { once: true })
    return () => focused?.removeEventListener('blur', fillSkipped)
  }, [isPending, profile, email, fullName, setTyped])
}
