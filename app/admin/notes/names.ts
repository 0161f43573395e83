import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/session/query-backend.ts'

type Names = Map<string, string>

/** Who acted, by name. Everybody who ever acted has a profile, unless the account was erased. */
export function useNames(ids: string[]) {
  const wanted = [...new Set(ids)].toSorted((a, b) => a.localeCompare(b))
  return useQuery({
    queryKey: ['profiles', 'names', wanted],
    enabled: wanted.length > 0,
    queryFn: () => loadNames(wanted),
  })
}

async function loadNames(ids: string[]): Promise<Names> {
  const people = await queryBackend((backend) =>
    backend.from('profiles').select('id, full_name, email').in('id', ids),
  )
  return new Map(people.map(({ id, full_name, email }) => [id, full_name || email || 'Someone']))
}
