import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { Stack, Grid, Panel } from '#app/ui/layout.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { ReportedFinding } from '#domain/function-results.ts'
import { componentLabel } from './component-label.ts'
import styles from './system.module.css'

const LOOKS = {
  ok: { icon: CircleCheck, tone: 'success', label: 'Works' },
  warning: { icon: TriangleAlert, tone: 'warning', label: 'Warning' },
  failed: { icon: CircleAlert, tone: 'danger', label: 'Problem' },
} as const

interface FindingListProps {
  findings: ReportedFinding[]
  label?: string
}

/** What each check found, and what to do about problems. */
export function FindingList({ findings, label = 'Checks' }: FindingListProps) {
  return (
    <Stack as="ul" gap={2} aria-label={label}>
      {findings.map((finding) => (
        <FindingRow key={finding.component} {...finding} />
      ))}
    </Stack>
  )
}

function FindingRow({ component, state, message, action }: ReportedFinding) {
  const { icon: Icon, tone, label } = LOOKS[state]
  return (
    <Panel
      as="li"
      kind={state === 'ok' ? 'card' : tone}
      padding="s"
      className={styles.finding}
      data-state={state}
    >
      <Grid columns="20px minmax(0, 1fr)" gap={3}>
        <Icon size={20} color={`var(--${tone})`} aria-hidden />
        <Stack gap={1} breakWords>
          <strong>
            <VisuallyHidden>{label}: </VisuallyHidden>
            {componentLabel(component)}
          </strong>
          <span>{message}</span>
          {action && <strong>{action}</strong>}
        </Stack>
      </Grid>
    </Panel>
  )
}
