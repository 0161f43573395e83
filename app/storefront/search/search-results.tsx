import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { Grid, Hint, Row, Text } from '#app/ui/layout.tsx'
import { search } from '#domain/search.ts'
import { MAX_SUGGESTIONS, findEntries, pages, searchText, type SearchEntry } from './entries.ts'
import styles from './search-results.module.css'

const MAX_SHOWN = 8

const DEBOUNCE_MS = 120

/** Shows results for the query. Pages are still found when the shop cannot be reached. */
export function SearchResults({ query, onFollow }: { query: string; onFollow: () => void }) {
  const [entries, setEntries] = useState<SearchEntry[] | null>(null)
  const [showsAllOf, setShowsAllOf] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const shown = showsAllOf === query ? entries : entries?.slice(0, MAX_SHOWN)
  useEffect(() => {
    let isCurrent = true
    const show = (candidates: SearchEntry[]) => isCurrent && setEntries(search(candidates, query, searchText))
    const timer = setTimeout(() => {
      findEntries(query).then(show, (error: unknown) => {
        console.error('the catalogue could not be searched', error)
        show(pages)
      })
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

  if (!entries || !shown) return <p role="status">Searching...</p>
  return (
    <>
      <Hint role="status">{countText(entries.length, query)}</Hint>
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

function countText(count: number, query: string): string {
  if (count === 0) return `Nothing found for “${query}”.`
  if (count >= MAX_SUGGESTIONS) return `${MAX_SUGGESTIONS} results or more`
  return count === 1 ? '1 result' : `${count} results`
}
