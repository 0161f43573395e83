import { useId, type ReactNode } from 'react'
import { Stack, Text } from '#app/ui/layout.tsx'
import styles from './section.module.css'

interface SectionProps {
  title: string
  intro?: ReactNode
  children: ReactNode
}

export function Section({ title, intro, children }: SectionProps) {
  const id = useId()
  return (
    <Stack as="section" gap={4} block={6} width={640} className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {intro && (
        <Text tone="muted" measure={60}>
          {intro}
        </Text>
      )}
      {children}
    </Stack>
  )
}
