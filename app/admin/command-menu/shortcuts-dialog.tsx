import { Dialog } from '#app/ui/dialog.tsx'
import styles from './command-menu.module.css'
import { useDestinations } from './destinations.ts'

type Key = readonly [keys: readonly string[], meaning: string]

const KEYS: readonly Key[] = [
  [['Ctrl', 'K'], 'Find an order, client or product, open a page or run an action'],
  [['Ctrl', 'S'], 'Save the open form'],
  [['Esc'], 'Close what is open'],
  [['?'], 'This list'],
  [['j'], 'Gallery: next photo'],
  [['k'], 'Gallery: photo before'],
  [['a'], 'Gallery: approve'],
  [['d'], 'Gallery: decline'],
  [['e'], 'Gallery: edit'],
]

/** What the keyboard can do in the admin area. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const ways = useDestinations().map(({ key, label }): Key => [['g', key], `Go to ${label}`])
  return (
    <Dialog title="Keys" isOpen onClose={onClose}>
      <p className={styles.hint}>On a Mac, Cmd stands for Ctrl.</p>
      <dl className={styles.keys}>
        {[...KEYS, ...ways].map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
