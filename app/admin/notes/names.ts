import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'

type Names = Map<string, string>

/** Names by user id, or the e-mail address when there is no name. Erased accounts are missing. */
export function useNames(ids: string[]) {
  const uniqueIds = [...new Set(ids)].toSorted((a, b) => a.localeCompare(b))
  return useQuery({
    queryKey: ['profiles', 'names', uniqueIds],
    enabled: uniqueIds.length > 0,
    queryFn: () => loadNames(uniqueIds),
  })
}

async function loadNames(ids: string[]): Promise<Names> {
  const people = await queryBackend((backend) =>
    backend.from('profiles').select('id, full_name, email').in('id', ids),
  )
  return new Map(people.map(({ id, full_name, email }) => [id, full_name || email || 'Someone']))
}
