import { Grid, Stack, Text } from '#app/ui/layout.tsx'
import { launchText, type Remaining } from '#domain/launch.ts'
import styles from './countdown.module.css'
import { useRemainingTime } from './use-remaining-time.ts'

const UNITS: (keyof Remaining)[] = ['days', 'hours', 'minutes', 'seconds']

/** The launch in words, and the time until then. A timer's changes are not announced; screen readers read it on request. */
export function Countdown({ launchAt }: { launchAt: string }) {
  const remaining = useRemainingTime(launchAt)
  return (
    <Stack gap={3} className={styles.countdown}>
      <Text weight={650}>
        On sale <time dateTime={launchAt}>{launchText(launchAt)}</time>
      </Text>
      <Grid columns="repeat(4, minmax(0, 1fr))" gap={2} role="timer" aria-label="Time until the sale starts">
        {UNITS.map((unit) => (
          <Unit key={unit} value={remaining?.[unit]} unit={unit} />
        ))}
      </Grid>
    </Stack>
  )
}

/** Has its width and height before the time is known, so that nothing moves. */
function Unit({ value, unit }: { value: number | undefined; unit: keyof Remaining }) {
  return (
    <Stack as="span" gap={1}>
      <Text as="span" display numeric className={styles.figure}>
        {value === undefined ? '–' : String(value).padStart(2, '0')}
      </Text>{' '}
      <span className={styles.name}>{value === 1 ? unit.slice(0, -1) : unit}</span>{' '}
    </Stack>
  )
}
