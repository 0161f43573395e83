import { Children, type ReactElement, type ReactNode } from 'react'
import { Hint, Opening, Stack, Text } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import styles from './reading-page.module.css'

interface SectionProps {
  /** The fragment of links to this section: keep it when the heading changes. */
  id: string
  heading: string
  children: ReactNode
}

/** A section of a text page; the table of contents lists it. */
export function ReadingSection({ id, heading, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {children}
    </section>
  )
}

export type ReadingSections = readonly ReactElement<SectionProps>[]

interface ReadingPageProps {
  title: string
  /** A summary in a sentence or two. */
  opening: ReactNode
  sections: ReadingSections
  /** Policies show the date of their last update. */
  isPolicy?: boolean
}

/** A text page: title, table of contents, sections. */
export function ReadingPage({ title, opening, sections, isPolicy }: ReadingPageProps) {
  return (
    <Stack contained="page" gap={6} className={styles.page}>
      <Stack as="header" gap={3} className={styles.head}>
        <h1>{title}</h1>
        {isPolicy && <Hint>Last updated: {shop.policiesUpdated}</Hint>}
        <Opening as="div" measure={46}>
          {opening}
        </Opening>
      </Stack>
      <Contents sections={sections} />
      <Stack gap={7} shrinks breakWords measure={68} className={styles.text}>
        {Children.toArray(sections)}
      </Stack>
    </Stack>
  )
}

function Contents({ sections }: Pick<ReadingPageProps, 'sections'>) {
  return (
    <Text as="nav" screenOnly className={styles.contents} aria-label="On this page">
      <Text as="ol" plainLinks size="s" className={styles.list}>
        {sections.map(({ props: { id, heading } }) => (
          <li key={id}>
            <a href={`#${id}`}>{heading}</a>
          </li>
        ))}
      </Text>
    </Text>
  )
}
