import type { ReactNode } from 'react'
import styles from './form-dialog.module.css'
import { useFormGuard } from './use-form-guard.tsx'

/** Forms on a page of their own: what was typed into one that is still there is not lost by a slip. */
export function GuardedForms({ children }: { children: ReactNode }) {
  const { guard, question } = useFormGuard()

  return (
    <div className={styles.guarded} {...guard}>
      {children}
      {question}
    </div>
  )
}
