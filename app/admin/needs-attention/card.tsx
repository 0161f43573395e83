import type { ReactNode } from 'react'
import { Grid, Panel, Row } from '#app/ui/layout.tsx'
import styles from './needs-attention.module.css'

interface CardsProps<Item> {
  items: Item[]
  children: (item: Item) => ReactNode
}

export function Cards<Item extends { id: string | number }>({ items, children }: CardsProps<Item>) {
  return (
    <Grid as="ul" columns="repeat(auto-fill, minmax(min(440px, 100%), 1fr))" gap={4}>
      {items.map((item) => (
        <Grid as="li" columns="minmax(0, 1fr)" key={item.id}>
          {children(item)}
        </Grid>
      ))}
    </Grid>
  )
}

interface CardProps {
  /** Also the accessible name, unless `label` says more. */
  title: string
  label?: string
  heading?: ReactNode
  actions: ReactNode
  children: ReactNode
}

/** One thing that waits for a decision. */
export function Card({ title, label = title, heading = title, actions, children }: CardProps) {
  return (
    <Panel as="article" gap={3} justify="start" breakWords className={styles.card} aria-label={label}>
      <h3>{heading}</h3>
      {children}
      <Row gap={2} align="stretch" wrap className={styles.actions}>
        {actions}
      </Row>
    </Panel>
  )
}
