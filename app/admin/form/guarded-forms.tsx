import type { ReactNode } from 'react'
import styles from './form-dialog.module.css'
import { useFormGuard } from './use-form-guard.tsx'

/** Asks before unsaved changes in the page's forms are lost. */
export function GuardedForms({ children }: { children: ReactNode }) {
  const { guard, question } = useFormGuard()

  return (
    <div className={styles.guarded} {...guard}>
      {children}
      {question}
    </div>
  )
}
