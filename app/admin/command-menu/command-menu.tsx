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
import { Dialog } from '#app/ui/dialog.tsx'
import { autofocusRef } from '../list/autofocus-ref.ts'
import { useShopSearch } from './shop-search.ts'
import styles from './command-menu.module.css'
import { useEntries, type Entry } from './use-entries.ts'

interface Props {
  term: string
  onType: (term: string) => void
  onClose: () => void
  onShowShortcuts: () => void
}

/** Type where to go, what to find or what to do; arrows choose, Enter does it. */
export function CommandMenu({ term, onType, onClose, onShowShortcuts }: Props) {
  const [chosen, setChosen] = useState(0)
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const asked = useDeferredValue(term.trim())
  const found = useShopSearch(asked)
  const entries = useEntries(asked, { found: found.data ?? [], onShowShortcuts })
  const at = Math.min(chosen, entries.length - 1)
  const isAnswered = asked === term.trim() && !found.isFetching

  const run = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  const enter = useEnter(isAnswered ? term : null, () => run(entries[at]))
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (event.key === 'Enter') {
      event.preventDefault()
      enter(term)
    } else if (step && entries.length > 0) {
      event.preventDefault()
      const next = (at + step + entries.length) % entries.length
      setChosen(next)
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
          setChosen(0)
        }}
      />
      <div ref={list} id={listId} role="listbox" aria-label="What matches" className={styles.list}>
        {entries.map((entry, index) => (
          <Option
            key={entry.id}
            id={`${listId}-${index}`}
            entry={entry}
            isFirstOfGroup={entries[index - 1]?.group !== entry.group}
            isChosen={index === at}
            onRun={() => run(entry)}
          />
        ))}
      </div>
      <p role="status" className={styles.hint}>
        {found.isError && `The search failed: ${found.error.message}`}
        {!found.isError && entries.length === 0 && (found.isFetching ? 'Searching …' : 'No results.')}
      </p>
    </Dialog>
  )
}

/** Does what Enter asks for once the answer to what was typed is there: what stands first until then belongs to other words. */
function useEnter(answered: string | null, act: () => void) {
  const [entered, setEntered] = useState<string | null>(null)
  const isDue = entered !== null && entered === answered
  const actNow = useEffectEvent(act)
  useEffect(() => {
    if (isDue) actNow()
  }, [isDue])
  return setEntered
}

interface OptionProps {
  id: string
  entry: Entry
  isFirstOfGroup: boolean
  isChosen: boolean
  onRun: () => void
}

function Option({ id, entry, isFirstOfGroup, isChosen, onRun }: OptionProps) {
  return (
    <>
      {isFirstOfGroup && (
        <div className={styles.group} role="presentation">
          {entry.group}
        </div>
      )}
      {/* The keyboard stays in the field above and chooses with the arrows. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={isChosen}
        className={styles.option}
        onClick={onRun}
      >
        <span className={styles.words}>
          <span className={styles.label}>{entry.label}</span>
          {entry.detail && <span className={styles.detail}>{entry.detail}</span>}
        </span>
        {isChosen && <CornerDownLeft size={16} aria-hidden />}
      </div>
    </>
  )
}
