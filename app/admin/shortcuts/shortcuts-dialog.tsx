import { Dialog } from '#app/ui/dialog.tsx'
import { Hint, Stack } from '#app/ui/layout.tsx'
import { useNavigation } from '../frame/navigation.ts'
import styles from './shortcuts-dialog.module.css'

type Shortcut = readonly [keys: readonly string[], meaning: string]

const SHORTCUTS: readonly Shortcut[] = [
  [['Ctrl', 'K'], 'Find an order, client or product, open a page or run an action'],
  [['Ctrl', 'S'], 'Save the open form'],
  [['Esc'], 'Close the open dialog or menu'],
  [['?'], 'Show this list'],
  [['j'], 'Gallery: next photo'],
  [['k'], 'Gallery: previous photo'],
  [['a'], 'Gallery: approve'],
  [['d'], 'Gallery: decline'],
  [['e'], 'Gallery: edit'],
]

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const destinations = useNavigation().destinations.map(({ key, label }): Shortcut => [
    ['g', key],
    `Go to ${label}`,
  ])
  return (
    <Dialog title="Keyboard shortcuts" isOpen onClose={onClose}>
      <Hint>On a Mac, use Cmd instead of Ctrl.</Hint>
      <Stack as="dl" gap={2} className={styles.shortcuts}>
        {[...SHORTCUTS, ...destinations].map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </Stack>
    </Dialog>
  )
}
