import type { ReactNode } from 'react'
import styles from './panel.module.css'

/** The one narrow column of a page that asks who somebody is. */
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
