import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { classNames } from './class-names.ts'

export type BadgeTone = 'neutral' | 'success' | 'warning' | 'danger'

/** A short status label. The colour must not be the only carrier of the meaning. */
export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  return <span className={classNames(styles.badge, tone !== 'neutral' && styles[tone])}>{children}</span>
}
