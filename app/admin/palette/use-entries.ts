import { use } from 'react'
import { useNavigate } from 'react-router'
import { useLeave } from '../frame/admin-gate.tsx'
import { isOpenTo, RoleContext } from '../frame/role.ts'
import { useTheme } from '../frame/theme.ts'
import { useSound } from '../live/sound.ts'
import type { Found } from './found.ts'
import { usePlaces } from './places.ts'

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
  { found, onShowKeys }: { found: Found[]; onShowKeys: () => void },
): Entry[] {
  const navigate = useNavigate()
  const actions = useActions(onShowKeys)
  const places = usePlaces().map(({ label, path, key }) => ({
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

function useActions(onShowKeys: () => void): Entry[] {
  const { theme, toggleTheme } = useTheme()
  const sound = useSound()
  const leave = useLeave()
  const navigate = useNavigate()
  const role = use(RoleContext)
  const actions = [
    action(theme === 'dark' ? 'Use the light theme' : 'Use the dark theme', toggleTheme),
    action(sound.isOn ? 'Turn notification sound off' : 'Turn notification sound on', () =>
      sound.setIsOn(!sound.isOn),
    ),
    action('Show keyboard shortcuts', onShowKeys),
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
