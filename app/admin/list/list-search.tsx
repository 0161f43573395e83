import { Search, X } from 'lucide-react'
import { useEffect, useEffectEvent, useState, type FormEvent } from 'react'
import { IconButton } from '#app/ui/button.tsx'
import { Row } from '#app/ui/layout.tsx'
import { useIsStillHere } from '#app/ui/use-is-still-here.ts'
import styles from './list-controls.module.css'
import type { ListState } from './use-list.ts'

const DEBOUNCE_MS = 300
/** Shorter terms match too many rows to search while typing; Enter searches for them anyway. */
const MIN_LENGTH = 3

/** A search box that searches while the user types. */
export function ListSearch<Row>({ list }: { list: ListState<Row> }) {
  const { noun, searchPlaceholder } = list.definition
  const current = list.view.search
  const [text, setText] = useState(current)
  const [known, setKnown] = useState(current)
  const [sent, setSent] = useState(current)

  // Follow the URL when Back or a removed chip changes it. The box's own search may arrive in the URL while the user types on,
  // and must not overwrite the text.
  if (known !== current) {
    setKnown(current)
    if (current !== sent) {
      setText(current)
      setSent(current)
    }
  }

  const go = (search: string, replace: boolean) => {
    setSent(search)
    list.go((now) => (now.search === search ? now : { search }), { replace })
  }

  const term = text.trim()
  const isStillHere = useIsStillHere()
  const searchDebounced = useEffectEvent(() => {
    // Nothing was typed: the URL may already hold the search of a Back that is not rendered yet.
    if (term === sent && term === current) return
    // Must not navigate back after the user has opened a row.
    if (isStillHere()) go(term, true)
  })
  useEffect(() => {
    if (term !== '' && term.length < MIN_LENGTH) return
    const timer = setTimeout(() => searchDebounced(), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [term])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    go(term, false)
  }

  return (
    <Row as="form" gap={2} role="search" className={styles.search} onSubmit={submit}>
      <Search size={18} aria-hidden />
      <input
        type="search"
        aria-label={`Search ${noun.plural}`}
        placeholder={searchPlaceholder}
        value={text}
        maxLength={100}
        enterKeyHint="search"
        onChange={(event) => setText(event.target.value)}
      />
      {text !== '' && (
        <IconButton
          label="Clear the search"
          onClick={() => {
            setText('')
            go('', false)
          }}
        >
          <X size={18} aria-hidden />
        </IconButton>
      )}
    </Row>
  )
}
