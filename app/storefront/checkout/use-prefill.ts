import { useEffect, type Dispatch, type SetStateAction } from 'react'
import { loadBackend } from '#app/data/backend.ts'
import type { SessionUser } from '#app/data/stored-session.ts'
import { parseProvince, formatPhone } from '#domain/south-africa.ts'
import type { Draft } from './draft.ts'

/**
 * Fills empty fields from the customer's profile. Keeps what the customer has typed meanwhile, and skips the focused field.
 */
export function usePrefill(user: SessionUser, setTyped: Dispatch<SetStateAction<Draft>>) {
  const { id, email, fullName } = user

  useEffect(() => {
    const fill = (known: Partial<Draft>) => {
      const focused = document.activeElement?.getAttribute('name')
      setTyped((typed) => ({ ...typed, ...onlyWhereEmpty(typed, known, focused) }))
    }

    loadBackend()
      .then((client) => client.from('profiles').select('*').eq('id', id).maybeSingle())
      .then(({ data: profile, error }) => {
        if (error) throw error
        return fill({
          full_name: profile?.full_name || fullName || '',
          email: email ?? '',
          phone: formatPhone(profile?.phone ?? ''),
          address: profile?.address ?? '',
          city: profile?.city ?? '',
          state: parseProvince(profile?.state ?? ''),
          zip_code: profile?.zip_code ?? '',
        })
      })
      .catch((failure: unknown) => {
        console.error('the profile did not load', failure)
        fill({ full_name: fullName ?? '', email: email ?? '' })
      })
  }, [id, email, fullName, setTyped])
}

function onlyWhereEmpty(typed: Draft, known: Partial<Draft>, focused?: string | null): Partial<Draft> {
  const filled = new Map(Object.entries(typed))
  return Object.fromEntries(
    Object.entries(known).filter(([name, value]) => value && name !== focused && !filled.get(name)),
  )
}
