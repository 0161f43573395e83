import { type ComponentType, lazy, Suspense, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Form } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Stack } from '#app/ui/layout.tsx'
import styles from './search-dialog.module.css'

const MIN_QUERY_LENGTH = 2

type Results = ComponentType<{ query: string; onFollow: () => void }>
const loadResults = () => import('./search-results.tsx')
// If the results fail to load, the form still submits to the products page.
const SearchResults = lazy<Results>(() =>
  loadResults().then(
    (module) => ({ default: module.SearchResults }),
    () => ({ default: () => null }),
  ),
)

/** Shows results while the visitor types; Enter leads to the products page. */
export function SearchDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const term = query.trim()

  // A dialog focuses its first control, the close button; the visitor wants to type.
  useEffect(() => {
    if (!isOpen) return
    field.current?.focus()
    loadResults().catch(() => {}) // The lazy component handles a failed load.
  }, [isOpen])

  return (
    <Dialog title="Search" isOpen={isOpen} onClose={onClose} width={560} className={styles.dialog}>
      {/* The arrow keys move the focus as Tab does. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <Stack gap={4} onKeyDown={moveWithArrows}>
        <Stack as={Form} role="search" action="/products" gap={4} onSubmit={onClose}>
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
            Search lures
          </Button>
        </Stack>
        {isOpen && term.length >= MIN_QUERY_LENGTH && (
          <Suspense>
            <SearchResults query={term} onFollow={onClose} />
          </Suspense>
        )}
      </Stack>
    </Dialog>
  )
}

/** Moves the focus between the field and the results. */
function moveWithArrows(event: KeyboardEvent<HTMLDivElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const focusable = [...event.currentTarget.querySelectorAll<HTMLElement>('input, li a')]
  const next = focusable[focusable.findIndex((element) => element === document.activeElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
