import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { Grid, Hint, Row, Text } from '#app/ui/layout.tsx'
import { search } from '#domain/search.ts'
import { findEntries, pages, searchText, type SearchEntry } from './entries.ts'
import { foundText, type FoundEntries } from './found.ts'
import styles from './search-results.module.css'

const MAX_SHOWN = 8

const DEBOUNCE_MS = 120

/** Shows results for the query. Pages are still found when the shop cannot be reached. */
export function SearchResults({ query, onFollow }: { query: string; onFollow: () => void }) {
  const [found, setFound] = useState<FoundEntries | null>(null)
  const [showsAllOf, setShowsAllOf] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    let isCurrent = true
    const show = (candidates: SearchEntry[], hasFailed = false) =>
      isCurrent && setFound({ query, entries: search(candidates, query, searchText), hasFailed })
    const timer = setTimeout(() => {
      findEntries(query).then(
        (candidates) => show(candidates),
        (error: unknown) => {
          console.error('the catalogue could not be searched', error)
          show(pages, true)
        },
      )
    }, DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [query])

  const showAll = () => {
    flushSync(() => setShowsAllOf(query))
    // The button disappears, so the focus moves to the first result that was hidden.
    list.current?.querySelectorAll<HTMLElement>('a')[MAX_SHOWN]?.focus()
  }

  const text = foundText(found, query)
  if (!found || text === null) return <p role="status">Searching...</p>
  const { entries } = found
  const shown = showsAllOf === query ? entries : entries.slice(0, MAX_SHOWN)
  return (
    <>
      <Hint role="status">{text}</Hint>
      {entries.length === 0 && (
        <p>
          <Row as={Link} inline touch to="/products" onClick={onFollow}>
            See all lures
          </Row>
        </p>
      )}
      <ul ref={list} className={styles.results} aria-label="Search results">
        {shown.map(({ title, type, path }) => (
          <li key={path}>
            <Grid
              as={Link}
              divided="below"
              columns="1fr"
              columnGap={4}
              block={2}
              to={path}
              onClick={onFollow}
            >
              <Text as="span" weight={650} className={styles.title}>
                {title}
              </Text>
              <Hint as="span">{type}</Hint>
            </Grid>
          </li>
        ))}
      </ul>
      {shown.length < entries.length && (
        <Button isWide onClick={showAll}>
          Show all {entries.length} results
        </Button>
      )}
    </>
  )
}
