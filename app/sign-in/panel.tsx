import type { ReactNode } from 'react'
import { Stack } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import styles from './panel.module.css'

/** The narrow column of a sign-in page. Without content it is still loading. */
export function SignInPanel({
  title,
  children = <Skeleton height={80} />,
}: {
  title: string
  children?: ReactNode
}) {
  return (
    <Stack gap={5} block={[7, 9]} justify="start" className={styles.panel}>
      <h1>{title}</h1>
      {children}
    </Stack>
  )
}
