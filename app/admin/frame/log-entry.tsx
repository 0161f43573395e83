import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Grid } from '#app/ui/layout.tsx'
import styles from './log-entry.module.css'
import { classNames } from '#app/ui/class-names.ts'

interface Props extends Partial<Pick<ComponentProps<typeof Grid>, 'tone' | 'className'>> {
  icon: LucideIcon
  children: ReactNode
}

/** An entry of a log below a line, with an icon in `tone`. */
export function LogEntry({ icon: Icon, tone = 'muted', className, children }: Props) {
  return (
    <Grid
      as="li"
      columns="18px minmax(0, 1fr)"
      gap={3}
      align="start"
      size="s"
      className={classNames(styles.entry, className)}
    >
      <Icon size={18} color={`var(--${tone === 'muted' ? 'ink-muted' : tone})`} aria-hidden />
      {children}
    </Grid>
  )
}
