import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Grid, Hint, Text } from '#app/ui/layout.tsx'

interface ItemProps {
  Icon: LucideIcon
  title: ReactNode
  detail: ReactNode
  /** A button. */
  children: ReactNode
}

/** A second factor or a session in its list. */
export function Item({ Icon, title, detail, children }: ItemProps) {
  return (
    <Grid as="li" divided="both" columns="24px 1fr auto" gap={1} columnGap={3} align="center">
      <Icon aria-hidden />
      <div>
        <Text weight={600}>{title}</Text>
        <Hint>{detail}</Hint>
      </div>
      {children}
    </Grid>
  )
}
