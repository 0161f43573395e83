import { Search, X } from 'lucide-react'
import { useEffect, useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { IconButton } from '#app/ui/button.tsx'
import styles from './list-controls.module.css'
import type { OpenList } from './use-list.ts'

const PAUSE_MS = 300
/** Shorter words match half the shop while they are typed; Enter asks for them all the same. */
const WORTH_ASKING = 3

/** A box that takes whatever is at hand, and answers while it is typed. */
export function ListSearch<Row>({ list }: { list: OpenList<Row> }) {
  const { things, searches } = list.list
  const navigate = useNavigate()
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
    if (search === asked) return
    setSent(search)
    void navigate(list.addressOf({ search }), { replace, preventScrollReset: true })
  }

  const wanted = text.trim()
  useEffect(() => {
    if (wanted === asked || (wanted !== '' && wanted.length < WORTH_ASKING)) return
    const timer = setTimeout(go, PAUSE_MS, wanted, true)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a letter starts the pause anew
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
        placeholder={searches}
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
