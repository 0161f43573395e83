import type { ComponentProps, ReactNode } from 'react'
import styles from './disclosure.module.css'

/** Details that open below a link-like summary. */
export function Disclosure({
  summary,
  children,
  ...rest
}: { summary: ReactNode } & ComponentProps<'details'>) {
  return (
    <details className={styles.disclosure} {...rest}>
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
