import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { errorToast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { useLazyModule } from '#app/ui/use-lazy-module.ts'
import { useNavigation } from '../frame/navigation.ts'

async function loadOverlays() {
  const [{ CommandMenu }, { ShortcutsDialog }] = await Promise.all([
    import('../command-menu/command-menu.tsx'),
    import('./shortcuts-dialog.tsx'),
  ])
  return { CommandMenu, ShortcutsDialog }
}

const NOT_LOADED = errorToast('Check your connection and try again.', 'This did not load')

/** How long `g` waits for its second letter. Pages ignore their own letter shortcuts meanwhile. */
export const CHORD_MS = 1_500

export type OpenOverlay = 'command-menu' | 'shortcuts' | null

interface Props {
  opened: OpenOverlay
  open: (overlay: OpenOverlay) => void
}

/** The keyboard shortcuts of the admin area. The overlays are loaded when they are first opened. */
export function AdminShortcuts({ opened, open }: Props) {
  const { term, setTerm } = useAdminShortcuts({ opened, open })
  const [overlays, load] = useLazyModule(loadOverlays)
  const toast = useToast()
  const close = () => open(null)
  const loadOrClose = useEffectEvent(async () => {
    if (await load()) return
    toast(NOT_LOADED)
    close()
  })
  useEffect(() => {
    if (opened && !overlays) void loadOrClose()
  }, [opened, overlays])

  if (!overlays) return null
  return opened === 'command-menu' ? (
    <overlays.CommandMenu
      term={term}
      onType={setTerm}
      onClose={close}
      onShowShortcuts={() => open('shortcuts')}
    />
  ) : (
    opened === 'shortcuts' && <overlays.ShortcutsDialog onClose={close} />
  )
}

function useAdminShortcuts({ opened, open }: Props) {
  const navigate = useNavigate()
  const { destinations } = useNavigation()
  /** Also collects what is typed while the command menu is still loading. */
  const [term, setTerm] = useState('')
  const [lastOpened, setLastOpened] = useState(opened)
  // Clears the term while rendering the change, not in close(): a key pressed before this render would otherwise be in the field at the
  // next opening.
  if (lastOpened !== opened) {
    setLastOpened(opened)
    setTerm('')
  }
  const [chordStartedAt, setChordStartedAt] = useState(-Infinity)

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
    } else if (event.timeStamp - chordStartedAt < CHORD_MS) {
      setChordStartedAt(-Infinity)
      const destination = destinations.find(({ key }) => key === event.key.toLowerCase())
      if (destination) void navigate(destination.path)
    } else if (event.key === 'g') {
      setChordStartedAt(event.timeStamp)
    }
  })

  // A layout effect, so that the shortcuts work as soon as the page is visible, and before those of a page.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])

  return { term, setTerm }
}

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

function isBehindDialog(): boolean {
  return document.querySelector('dialog:modal') !== null
}
