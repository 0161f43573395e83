import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from '#app/ui/button.tsx'
import { Stack } from '#app/ui/layout.tsx'
import styles from './states.module.css'

interface LoadErrorProps {
  what: string
  query: Pick<UseQueryResult, 'isError' | 'isFetching' | 'refetch'>
}

/** Offers to load again if the query failed. */
export function LoadError({ what, query }: LoadErrorProps) {
  if (!query.isError) return null
  return (
    <Stack gap={4} align="start" className={styles.error} role="alert">
      <p>
        <strong>{what}</strong> Check your connection. Nothing is lost.
      </p>
      <Button look="solid" onClick={() => void query.refetch()} disabled={query.isFetching}>
        {query.isFetching ? 'Trying...' : 'Try again'}
      </Button>
    </Stack>
  )
}
