import { use } from 'react'
import { useNavigate } from 'react-router'
import { useSignOut } from '../frame/admin-gate.tsx'
import { isOpenTo, RoleContext } from '../frame/role.ts'
import { useTheme } from '../frame/theme.ts'
import { useSound } from '../live/sound.ts'
import type { SearchHit } from './shop-search.ts'
import { useDestinations } from './destinations.ts'

const CREATE_ORDER = '/admin/orders/new'

export interface Entry {
  id: string
  group: string
  label: string
  detail?: string
  run: () => void
}

/** What the typed words offer: what they name in the shop first, then pages and actions of that name. */
export function useEntries(
  term: string,
  { found, onShowShortcuts }: { found: SearchHit[]; onShowShortcuts: () => void },
): Entry[] {
  const navigate = useNavigate()
  const actions = useActions(onShowShortcuts)
  const places = useDestinations().map(({ label, path, key }) => ({
    id: path,
    group: 'Go to',
    label,
    detail: `g ${key}`,
    run: () => void navigate(path),
  }))
  const named = [...places, ...actions].filter(({ label }) => isNamed(label, term))
  const things = term === '' ? [] : found.map((thing) => ({ ...thing, run: () => void navigate(thing.path) }))
  return [...things, ...named]
}

function useActions(onShowShortcuts: () => void): Entry[] {
  const { theme, toggleTheme } = useTheme()
  const sound = useSound()
  const leave = useSignOut()
  const navigate = useNavigate()
  const role = use(RoleContext)
  const actions = [
    action(theme === 'dark' ? 'Use the light theme' : 'Use the dark theme', toggleTheme),
    action(sound.isOn ? 'Turn notification sound off' : 'Turn notification sound on', () =>
      sound.setIsOn(!sound.isOn),
    ),
    action('Show keyboard shortcuts', onShowShortcuts),
    action('Back to Home', () => void navigate('/')),
    action('Sign Out', leave),
  ]
  if (!isOpenTo(role, CREATE_ORDER)) return actions
  return [action('Create order', () => void navigate(CREATE_ORDER)), ...actions]
}

function action(label: string, run: () => void): Entry {
  return { id: label, group: 'Do', label, run }
}

/** Every word that was typed begins a word of the label. */
function isNamed(label: string, term: string): boolean {
  const words = label.toLowerCase().split(/[\s-]+/)
  return term
    .toLowerCase()
    .split(/\s+/)
    .every((typed) => words.some((word) => word.startsWith(typed)))
}
