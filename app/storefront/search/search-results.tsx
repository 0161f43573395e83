import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { search } from '#domain/search.ts'
import { ASKED_FOR, findEntries, pages, textOf, type Entry } from './entries.ts'
import styles from './search-results.module.css'

const MOST_SHOWN = 8

/** A hand that types goes on within it. */
const PAUSE_MS = 120

/** What answers the words typed so far. Without a connection to the shop the pages are still found. */
export function SearchResults({ query, onFollow }: { query: string; onFollow: () => void }) {
  const [entries, setEntries] = useState<Entry[] | null>(null)
  const [showsAllOf, setShowsAllOf] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const shown = showsAllOf === query ? entries : entries?.slice(0, MOST_SHOWN)
  useEffect(() => {
    let isCurrent = true
    const show = (found: Entry[]) => isCurrent && setEntries(search(found, query, textOf))
    const timer = setTimeout(() => {
      findEntries(query).then(show, (error: unknown) => {
        console.error('the range could not be searched', error)
        show(pages)
      })
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [query])

  const showAll = () => {
    flushSync(() => setShowsAllOf(query))
    // The button is gone; the focus moves to the first result that was hidden.
    list.current?.querySelectorAll<HTMLElement>('a')[MOST_SHOWN]?.focus()
  }

  if (!entries || !shown) return <p role="status">Searching...</p>
  return (
    <>
      <p role="status" className={styles.count}>
        {countText(entries.length, query)}
      </p>
      {entries.length === 0 && (
        <p>
          <Link to="/products" className={styles.range} onClick={onFollow}>
            See the whole range
          </Link>
        </p>
      )}
      <ul ref={list} className={styles.results} aria-label="Search results">
        {shown.map(({ title, kind, path }) => (
          <li key={path}>
            <Link to={path} onClick={onFollow}>
              <span className={styles.title}>{title}</span>
              <span className={styles.kind}>{kind}</span>
            </Link>
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
  if (count >= ASKED_FOR) return `${ASKED_FOR} results or more`
  return count === 1 ? '1 result' : `${count} results`
}
