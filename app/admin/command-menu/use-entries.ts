import { use } from 'react'
import { useNavigate } from 'react-router'
import { useSignOut } from '../frame/admin-gate.tsx'
import { useNavigation } from '../frame/navigation.ts'
import { canOpen, RoleContext } from '../frame/role.ts'
import { useTheme } from '../frame/theme.ts'
import { useSound } from '../live/sound.ts'
import type { SearchHit } from './shop-search.ts'

const CREATE_ORDER = '/admin/orders/new'

export interface MenuEntry {
  id: string
  group: string
  label: string
  detail?: string
  run: () => void
}

/** Returns the menu's entries for a term: search hits first, then matching pages and actions. */
export function useEntries(
  term: string,
  { hits, onShowShortcuts }: { hits: SearchHit[]; onShowShortcuts: () => void },
): MenuEntry[] {
  const navigate = useNavigate()
  const actions = useActions(onShowShortcuts)
  const destinations = useNavigation().destinations.map(({ label, path, key }) => ({
    id: path,
    group: 'Go to',
    label,
    detail: `g ${key}`,
    run: () => void navigate(path),
  }))
  const commands = [...destinations, ...actions].filter(({ label }) => matches(label, term))
  const results = term === '' ? [] : hits.map((hit) => ({ ...hit, run: () => void navigate(hit.path) }))
  return [...results, ...commands]
}

function useActions(onShowShortcuts: () => void): MenuEntry[] {
  const { theme, toggleTheme } = useTheme()
  const sound = useSound()
  const signOut = useSignOut()
  const navigate = useNavigate()
  const role = use(RoleContext)
  const actions = [
    action(theme === 'dark' ? 'Use the light theme' : 'Use the dark theme', toggleTheme),
    action(sound.isOn ? 'Turn notification sound off' : 'Turn notification sound on', () =>
      sound.setIsOn(!sound.isOn),
    ),
    action('Show keyboard shortcuts', onShowShortcuts),
    action('Back to Home', () => void navigate('/')),
    action('Sign Out', signOut),
  ]
  if (!canOpen(role, CREATE_ORDER)) return actions
  return [action('Create order', () => void navigate(CREATE_ORDER)), ...actions]
}

function action(label: string, run: () => void): MenuEntry {
  return { id: label, group: 'Actions', label, run }
}

/** Whether every typed word is the start of a word of the label. */
function matches(label: string, term: string): boolean {
  const words = label.toLowerCase().split(/[\s-]+/)
  return term
    .toLowerCase()
    .split(/\s+/)
    .every((typed) => words.some((word) => word.startsWith(typed)))
}
