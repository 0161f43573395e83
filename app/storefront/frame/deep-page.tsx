import type { ReactNode } from 'react'
import { Stack } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import styles from './deep-page.module.css'
import { LogoMark } from './logo-mark.tsx'

interface DeepPageProps {
  as?: 'section' | 'main'
  /** Of the browser's tab, if it differs from the route's. */
  title?: string
  children: ReactNode
}

/** A dark page over the logo, in the place of one that is missing. */
export function DeepPage({ as = 'section', title, children }: DeepPageProps) {
  return (
    <Stack as={as} gap={4} align="start" justify="center" className={styles.page} data-surface="deep">
      {title && <title>{`${title} – ${shop.name}`}</title>}
      <LogoMark className={styles.mark} />
      {children}
    </Stack>
  )
}
