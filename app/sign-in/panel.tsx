import type { ReactNode } from 'react'
import { Stack } from '#app/ui/layout.tsx'
import styles from './panel.module.css'

/** The narrow column of a sign-in page. */
export function SignInPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <Stack gap={5} justify="start" className={styles.panel}>
        <h1>{title}</h1>
        {children}
      </Stack>
    </div>
  )
}
