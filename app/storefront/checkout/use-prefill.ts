import { useEffect, type Dispatch, type SetStateAction } from 'react'
import { loadBackend } from '#app/session/backend.ts'
import type { SessionUser } from '#app/session/stored-session.ts'
import { parseProvince, formatPhone } from '#domain/south-africa.ts'
import type { Draft } from './draft.ts'

/**
 * Fills what is still empty with what the customer told us before. What is typed in the meantime stays, and nothing comes
 * into the field in which somebody is about to type.
 */
export function usePrefill(user: SessionUser, setTyped: Dispatch<SetStateAction<Draft>>) {
  const { id, email, fullName } = user

  useEffect(() => {
    const fill = (known: Partial<Draft>) => {
      const busy = document.activeElement?.getAttribute('name')
      setTyped((typed) => ({ ...typed, ...onlyWhereEmpty(typed, known, busy) }))
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
        console.error('the profile was not read', failure)
        fill({ full_name: fullName ?? '', email: email ?? '' })
      })
  }, [id, email, fullName, setTyped])
}

function onlyWhereEmpty(typed: Draft, known: Partial<Draft>, busy?: string | null): Partial<Draft> {
  const filled = new Map(Object.entries(typed))
  return Object.fromEntries(
    Object.entries(known).filter(([name, value]) => value && name !== busy && !filled.get(name)),
  )
}
