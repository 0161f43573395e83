import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { classNames } from './class-names.ts'

export type BadgeTone = 'neutral' | 'success' | 'warning' | 'danger'

/** How one of several states looks. */
export interface BadgeLook {
  label: string
  tone: BadgeTone
  icon?: LucideIcon
}

/** A short status label, `children` or the look's. The colour must not be the only carrier of the meaning. */
export function Badge({
  tone = 'neutral',
  icon: Icon,
  label,
  children = label,
}: Partial<BadgeLook> & { children?: ReactNode }) {
  return (
    <span className={classNames(styles.badge, tone !== 'neutral' && styles[tone])}>
      {Icon && <Icon size={14} aria-hidden />}
      {children}
    </span>
  )
}
