import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Grid } from '#app/ui/layout.tsx'
import styles from './log-entry.module.css'

interface Props extends Partial<Pick<ComponentProps<typeof Grid>, 'tone' | 'columns'>> {
  icon: LucideIcon
  children: ReactNode
}

/** An entry of a log below a line, with an icon in `tone`. */
export function LogEntry({ icon: Icon, tone = 'muted', columns = ENTRY_COLUMNS, children }: Props) {
  return (
    <Grid as="li" columns={columns} gap={3} align="start" size="s" className={styles.entry}>
      <Icon size={18} color={`var(--${tone === 'muted' ? 'ink-muted' : tone})`} aria-hidden />
      {children}
    </Grid>
  )
}

const ENTRY_COLUMNS = '18px minmax(0, 1fr)'
