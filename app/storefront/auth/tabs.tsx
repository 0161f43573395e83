import { useId, type KeyboardEvent, type ReactNode } from 'react'
import { classNames } from '#app/ui/class-names.ts'
import tabStyles from '#app/ui/tab.module.css'
import styles from './tabs.module.css'

interface TabsProps<Name extends string> {
  label: string
  tabs: { name: Name; label: string; panel: ReactNode }[]
  chosen: Name
  onChoose: (name: Name) => void
}

/** Follows the ARIA tabs pattern: one tab stop, arrow keys move between tabs. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose }: TabsProps<Name>) {
  const id = useId()

  const moveTo = (event: KeyboardEvent, index: number) => {
    const next = tabs.at(index % tabs.length)
    if (!next) return
    event.preventDefault()
    onChoose(next.name)
    document.getElementById(`${id}-${next.name}`)?.focus()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ name }) => name === chosen)
    if (event.key === 'ArrowRight') moveTo(event, at + 1)
    else if (event.key === 'ArrowLeft') moveTo(event, at - 1)
    else if (event.key === 'Home') moveTo(event, 0)
    else if (event.key === 'End') moveTo(event, -1)
  }

  return (
    <>
      <div role="tablist" aria-label={label} className={styles.list}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-selected={tab.name === chosen}
            aria-controls={`${id}-${tab.name}-panel`}
            tabIndex={tab.name === chosen ? 0 : -1}
            className={classNames(tabStyles.tab, styles.tab)}
            onClick={() => onChoose(tab.name)}
            onKeyDown={onKeyDown}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.name}
          role="tabpanel"
          id={`${id}-${tab.name}-panel`}
          aria-labelledby={`${id}-${tab.name}`}
          hidden={tab.name !== chosen}
        >
          {tab.panel}
        </div>
      ))}
    </>
  )
}
