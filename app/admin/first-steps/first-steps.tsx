import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { queryBackend } from '#app/session/query-backend.ts'
import type { Returns } from '#database'
import { Button } from '#app/ui/button.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { usePublicSettings, type PublicSettings } from '../settings/settings.ts'
import styles from './first-steps.module.css'

type DoneSteps = Returns<'setup_steps'>

const HIDDEN = 'admin_first_steps_hidden'

/** The way to the first sale. Each step ticks itself; the list disappears after the first paid order, or on request. */
export function FirstSteps() {
  const [isHidden, setIsHidden] = useState(() => localStorage.getItem(HIDDEN) === 'true')
  const done = useQuery({
    queryKey: ['first-steps'],
    enabled: !isHidden,
    queryFn: () => queryBackend((backend) => backend.rpc('setup_steps')),
  })
  const publicSettings = usePublicSettings()
  if (isHidden || !done.data || !publicSettings.data) return null
  const steps = stepsOf(done.data, publicSettings.data)
  const left = steps.filter(({ isDone }) => !isDone).length
  // It leads to the first sale and ends with it.
  if (left === 0 || done.data.first_order) return null

  const hide = () => {
    localStorage.setItem(HIDDEN, 'true')
    setIsHidden(true)
  }
  return (
    <section className={styles.box} aria-label="First steps">
      <div className={styles.head}>
        <h2>To your first sale</h2>
        <span>
          {steps.length - left} of {steps.length} done
        </span>
      </div>
      <ol className={styles.steps}>
        {steps.map(({ label, path, isDone }) => (
          <li key={label} className={isDone ? styles.done : undefined}>
            {isDone ? <CircleCheck size={20} aria-hidden /> : <CircleDashed size={20} aria-hidden />}
            <Link to={path}>{label}</Link>
            {isDone && <VisuallyHidden>done</VisuallyHidden>}
          </li>
        ))}
      </ol>
      <Button look="quiet" className={styles.hide} onClick={hide}>
        Do not show this again
      </Button>
    </section>
  )
}

function stepsOf(done: DoneSteps, { mail, payfast }: PublicSettings) {
  return [
    { label: 'Give your own sign-in a second step', path: '/account/security', isDone: done.second_factor },
    { label: 'Save what shipping costs', path: '/admin/settings', isDone: done.settings },
    { label: 'Put lures on the shelf', path: '/admin/products', isDone: done.stock },
    { label: 'Connect a mail server', path: '/admin/settings', isDone: mail.server !== null },
    { label: 'Connect PayFast, live', path: '/admin/settings', isDone: payfast.mode === 'live' },
    { label: 'Your first paid order', path: '/admin/orders', isDone: done.first_order },
  ]
}
