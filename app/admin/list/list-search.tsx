import { Search, X } from 'lucide-react'
import { useEffect, useEffectEvent, useState, type FormEvent } from 'react'
import { useLocation } from 'react-router'
import { IconButton } from '#app/ui/button.tsx'
import styles from './list-controls.module.css'
import { useLatestLocation } from './use-latest-location.ts'
import type { OpenList } from './use-list.ts'

const PAUSE_MS = 300
/** Shorter words match half the shop while they are typed; Enter asks for them all the same. */
const WORTH_ASKING = 3

/** A box that takes whatever is at hand, and answers while it is typed. */
export function ListSearch<Row>({ list }: { list: OpenList<Row> }) {
  const { things, searchPlaceholder } = list.list
  const asked = list.view.search
  const [text, setText] = useState(asked)
  const [known, setKnown] = useState(asked)
  const [sent, setSent] = useState(asked)

  // The address changed by other means, by Back or a removed chip: the box follows. What the box itself asked for may come
  // back while the next letter is typed, and must not take that letter away.
  if (known !== asked) {
    setKnown(asked)
    if (asked !== sent) setText(asked)
  }

  const go = (search: string, replace: boolean) => {
    setSent(search)
    list.go((now) => (now.search === search ? now : { search }), { replace })
  }

  const wanted = text.trim()
  const hasLeft = useHasLeft()
  const goAfterPause = useEffectEvent(() => {
    // Who has opened a row meanwhile is not called back.
    if (!hasLeft()) go(wanted, true)
  })
  // Only a letter starts the pause anew.
  useEffect(() => {
    if (wanted !== '' && wanted.length < WORTH_ASKING) return
    const timer = setTimeout(() => goAfterPause(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [wanted])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    go(wanted, false)
  }

  return (
    <form role="search" className={styles.search} onSubmit={submit}>
      <Search size={18} aria-hidden />
      <input
        type="search"
        aria-label={`Search ${things.many}`}
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
    </form>
  )
}

/** Whether another page is being fetched or has come. */
function useHasLeft(): () => boolean {
  const latest = useLatestLocation()
  const { pathname } = useLocation()
  return () => latest().pathname !== pathname
}
