import { type ComponentType, lazy, Suspense, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Form } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextField } from '#app/ui/field.tsx'
import styles from './search-dialog.module.css'

const ANSWERS_FROM_LETTERS = 2

type Results = ComponentType<{ query: string; onFollow: () => void }>
const loadResults = () => import('./search-results.tsx')
// Without the answers as one types, the form still leads to them.
const SearchResults = lazy<Results>(() =>
  loadResults().then(
    (module) => ({ default: module.SearchResults }),
    () => ({ default: () => null }),
  ),
)

/** Answers while somebody types; Enter asks the products page. */
export function SearchDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const asked = query.trim()

  // Whoever opens the search wants to type, not to close it.
  useEffect(() => {
    if (!isOpen) return
    field.current?.focus()
    loadResults().catch(() => {}) // Told by the answers that do not come.
  }, [isOpen])

  return (
    <Dialog title="Search" isOpen={isOpen} onClose={onClose} className={styles.dialog}>
      {/* The arrows only move what Tab moves as well. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={styles.search} onKeyDown={moveWithArrows}>
        <Form role="search" action="/products" className={styles.form} onSubmit={onClose}>
          <TextField
            ref={field}
            label="Lure, colour or page"
            name="q"
            type="search"
            autoComplete="off"
            enterKeyHint="search"
            placeholder="popper, red head, returns"
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
          <Button type="submit" look="solid" size="large">
            Search the range
          </Button>
        </Form>
        {isOpen && asked.length >= ANSWERS_FROM_LETTERS && (
          <Suspense>
            <SearchResults query={asked} onFollow={onClose} />
          </Suspense>
        )}
      </div>
    </Dialog>
  )
}

/** Down from the field into the answers, and back up. */
function moveWithArrows(event: KeyboardEvent<HTMLDivElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, li a')]
  const next = stops[stops.findIndex((stop) => stop === document.activeElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
