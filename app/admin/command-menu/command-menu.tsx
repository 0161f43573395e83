import { CornerDownLeft } from 'lucide-react'
import {
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react'
import { autofocusRef } from '#app/ui/autofocus-ref.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import { Hint, Row, Text } from '#app/ui/layout.tsx'
import { useShopSearch } from './shop-search.ts'
import styles from './command-menu.module.css'
import { useEntries, type MenuEntry } from './use-entries.ts'

interface Props {
  term: string
  onType: (term: string) => void
  onClose: () => void
  onShowShortcuts: () => void
}

/** Searches the shop, pages and actions; arrows select a result, Enter runs it. */
export function CommandMenu({ term, onType, onClose, onShowShortcuts }: Props) {
  const [selected, setSelected] = useState(0)
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const searchTerm = useDeferredValue(term.trim())
  const search = useShopSearch(searchTerm)
  const entries = useEntries(searchTerm, { hits: search.data ?? [], onShowShortcuts })
  const at = Math.min(selected, entries.length - 1)
  const isUpToDate = searchTerm === term.trim() && !search.isFetching

  const run = (entry: MenuEntry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  const runWhenLoaded = useDeferredEnter(isUpToDate ? term : null, () => run(entries[at]))
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (event.key === 'Enter') {
      event.preventDefault()
      runWhenLoaded(term)
    } else if (step && entries.length > 0) {
      event.preventDefault()
      const next = (at + step + entries.length) % entries.length
      setSelected(next)
      list.current?.querySelector(`[id="${listId}-${next}"]`)?.scrollIntoView({ block: 'nearest' })
    }
  }

  return (
    <Dialog title="Search or jump to" isOpen onClose={onClose} className={styles.menu}>
      <input
        ref={autofocusRef}
        type="search"
        className={styles.input}
        role="combobox"
        aria-label="Order, client, product, page or action"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={entries.length > 0 ? `${listId}-${at}` : undefined}
        placeholder="Order, client, product, page or action"
        autoComplete="off"
        value={term}
        onKeyDown={move}
        onChange={(event) => {
          onType(event.target.value)
          setSelected(0)
        }}
      />
      <div ref={list} id={listId} role="listbox" aria-label="Results" className={styles.list}>
        {entries.map((entry, index) => (
          <Option
            key={entry.id}
            id={`${listId}-${index}`}
            entry={entry}
            isFirstOfGroup={entries[index - 1]?.group !== entry.group}
            isSelected={index === at}
            onRun={() => run(entry)}
          />
        ))}
      </div>
      <Hint role="status" className={styles.hint}>
        {search.isError && `The search failed: ${search.error.message}`}
        {!search.isError && entries.length === 0 && (search.isFetching ? 'Searching …' : 'No results.')}
      </Hint>
    </Dialog>
  )
}

/** Defers Enter until the results for the typed term have loaded: until then the first entry belongs to an earlier term. */
function useDeferredEnter(loadedTerm: string | null, act: () => void) {
  const [entered, setEntered] = useState<string | null>(null)
  const isDue = entered !== null && entered === loadedTerm
  const actNow = useEffectEvent(act)
  useEffect(() => {
    if (isDue) actNow()
  }, [isDue])
  return setEntered
}

interface OptionProps {
  id: string
  entry: MenuEntry
  isFirstOfGroup: boolean
  isSelected: boolean
  onRun: () => void
}

function Option({ id, entry, isFirstOfGroup, isSelected, onRun }: OptionProps) {
  return (
    <>
      {isFirstOfGroup && (
        <Text as="div" tone="muted" size="xs" weight={600} className={styles.group} role="presentation">
          {entry.group}
        </Text>
      )}
      {/* The focus stays in the field; the arrow keys select. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
      <Row
        gap={3}
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={isSelected}
        className={styles.option}
        onClick={onRun}
      >
        <Row as="span" columnGap={3} align="baseline" justify="between" wrap grow>
          <Text as="span" weight={600} breakWords shrinks>
            {entry.label}
          </Text>
          {entry.detail && (
            <Hint as="span" ellipsis>
              {entry.detail}
            </Hint>
          )}
        </Row>
        {isSelected && <CornerDownLeft size={16} aria-hidden />}
      </Row>
    </>
  )
}
