import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from '#app/ui/button.tsx'
import { Panel } from '#app/ui/layout.tsx'

interface LoadErrorProps {
  what: string
  query: Pick<UseQueryResult, 'isError' | 'isFetching' | 'refetch'>
}

/** Offers to load again if the query failed. */
export function LoadError({ what, query }: LoadErrorProps) {
  if (!query.isError) return null
  return (
    <Panel kind="danger" isMarked gap={4} align="start" role="alert">
      <p>
        <strong>{what}</strong> Check your connection. Nothing is lost.
      </p>
      <Button look="solid" onClick={() => void query.refetch()} disabled={query.isFetching}>
        {query.isFetching ? 'Trying...' : 'Try again'}
      </Button>
    </Panel>
  )
}
