import type { ReactNode } from 'react'
import styles from './panel.module.css'

/** The narrow column of a sign-in page. */
export function SignInPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <div className={styles.panel}>
        <h1>{title}</h1>
        {children}
      </div>
    </div>
  )
}
