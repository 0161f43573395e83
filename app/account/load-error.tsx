import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from '#app/ui/button.tsx'
import { Panel } from '#app/ui/layout.tsx'

interface LoadErrorProps {
  what: string
  query: Pick<UseQueryResult, 'data' | 'isError' | 'isFetching' | 'refetch'>
}

/** Offers to load again if the query failed. Pages show it beside what was loaded before: people may be typing there. */
export function LoadError({ what, query }: LoadErrorProps) {
  if (!query.isError) return null
  const isStale = query.data !== undefined
  return (
    <Panel
      kind={isStale ? 'warning' : 'danger'}
      isMarked
      screenOnly={isStale}
      gap={4}
      align="start"
      role="alert"
    >
      {isStale ? (
        <p>This may be out of date: we couldn’t reload it.</p>
      ) : (
        <p>
          <strong>{what}</strong> Check your connection. Nothing is lost.
        </p>
      )}
      <Button look="solid" onClick={() => void query.refetch()} disabled={query.isFetching}>
        {query.isFetching ? 'Trying...' : 'Try again'}
      </Button>
    </Panel>
  )
}
