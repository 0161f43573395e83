import { lazy, Suspense, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useDestinations } from './destinations.ts'

const CommandMenu = lazy(async () => ({ default: (await import('./command-menu.tsx')).CommandMenu }))
const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
}))

/** How long `g` waits for its second letter; a page's own letters wait as long for it to be over. */
export const CHORD_MS = 1_500

export type OpenOverlay = 'command-menu' | 'shortcuts' | null

interface Props {
  opened: OpenOverlay
  open: (what: OpenOverlay) => void
}

/** The keys of the admin area; what they open is fetched when it is opened. */
export function AdminShortcuts({ opened, open }: Props) {
  const { term, setTerm } = useAdminShortcuts({ opened, open })
  const close = () => {
    setTerm('')
    open(null)
  }

  return (
    <Suspense fallback={null}>
      {opened === 'command-menu' && (
        <CommandMenu term={term} onType={setTerm} onClose={close} onShowShortcuts={() => open('shortcuts')} />
      )}
      {opened === 'shortcuts' && <ShortcutsDialog onClose={close} />}
    </Suspense>
  )
}

function useAdminShortcuts({ opened, open }: Props) {
  const navigate = useNavigate()
  const places = useDestinations()
  /** What was typed for the palette, which may still be on its way. */
  const [term, setTerm] = useState('')
  const [wentAt, setWentAt] = useState(-Infinity)

  const press = useEffectEvent((event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      if (!isBehindDialog()) open('command-menu')
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isBehindDialog()) return
    if (opened === 'command-menu') {
      if (event.key.length !== 1) return
      event.preventDefault()
      setTerm((before) => before + event.key)
    } else if (event.key === '?') {
      event.preventDefault()
      open('shortcuts')
    } else if (event.timeStamp - wentAt < CHORD_MS) {
      setWentAt(-Infinity)
      const place = places.find(({ key }) => key === event.key.toLowerCase())
      if (place) void navigate(place.path)
    } else if (event.key === 'g') {
      setWentAt(event.timeStamp)
    }
  })

  // Whoever sees the page may use them.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])

  return { term, setTerm }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

function isBehindDialog(): boolean {
  return document.querySelector('dialog:modal') !== null
}
