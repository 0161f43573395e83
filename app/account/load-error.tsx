import { Button } from '#app/ui/button.tsx'
import { Stack } from '#app/ui/layout.tsx'
import styles from './states.module.css'

export function LoadError({
  what,
  onRetry,
  isBusy,
}: {
  what: string
  onRetry: () => void
  isBusy?: boolean
}) {
  return (
    <Stack gap={4} align="start" className={styles.error} role="alert">
      <p>
        <strong>{what}</strong> Check your connection. Nothing is lost.
      </p>
      <Button look="solid" onClick={onRetry} disabled={isBusy}>
        {isBusy ? 'Trying...' : 'Try again'}
      </Button>
    </Stack>
  )
}
