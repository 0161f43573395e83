import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { Stack } from '#app/ui/layout.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { ReportedFinding } from '#domain/function-results.ts'
import { componentLabel } from './component-label.ts'
import styles from './system.module.css'

const LOOKS = {
  ok: { Icon: CircleCheck, label: 'Works' },
  warning: { Icon: TriangleAlert, label: 'Warning' },
  failed: { Icon: CircleAlert, label: 'Problem' },
}

interface FindingListProps {
  findings: ReportedFinding[]
  label?: string
}

/** What each check found, and what to do about problems. */
export function FindingList({ findings, label = 'Checks' }: FindingListProps) {
  return (
    <ul className={styles.findings} aria-label={label}>
      {findings.map((finding) => (
        <FindingRow key={finding.component} {...finding} />
      ))}
    </ul>
  )
}

function FindingRow({ component, state, message, action }: ReportedFinding) {
  const { Icon, label } = LOOKS[state]
  return (
    <li className={styles.finding} data-state={state}>
      <Icon size={20} aria-hidden />
      <VisuallyHidden>{label}:</VisuallyHidden>
      <Stack gap={1} breakWords>
        <strong>{componentLabel(component)}</strong>
        <span>{message}</span>
        {action && <span className={styles.advice}>{action}</span>}
      </Stack>
    </li>
  )
}
