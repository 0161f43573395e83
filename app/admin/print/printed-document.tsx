import type { ReactNode } from 'react'
import { Grid, Text } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import styles from './print.module.css'

interface Props {
  title: string
  /** Its name with the order's number. */
  label: string
  number: string
  parties: ReactNode
  footer: ReactNode
  children: ReactNode
}

/** One page of paper: the shop, the order, whom it concerns, and a footer. */
export function PrintedDocument({ title, label, number, parties, footer, children }: Props) {
  return (
    <article className={styles.document} aria-label={label}>
      <header className={styles.documentHeader}>
        <p className={styles.shopName}>{shop.name}</p>
        <h2>{title}</h2>
        <p className={styles.number}>#{number}</p>
      </header>
      <Grid
        columns="repeat(auto-fit, minmax(min(200px, 100%), 1fr))"
        gap={5}
        breakWords
        className={styles.parties}
      >
        {parties}
      </Grid>
      {children}
      <Text as="footer" size="xs" divided="above">
        <p>{footer}</p>
      </Text>
    </article>
  )
}

/** The heads of a table of lines; those at the end are above figures. */
export function LineHeads({ texts, figures }: { texts: string[]; figures: string[] }) {
  return (
    <thead>
      <tr>
        {texts.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
        {figures.map((head) => (
          <th key={head} scope="col" className={styles.figure}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
  )
}
