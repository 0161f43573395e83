import { CircleCheck, CircleDashed } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { Returns } from '#database'
import { localStore } from '#app/ui/browser-store.ts'
import { Button } from '#app/ui/button.tsx'
import { Row, Grid, Hint, Panel, Text } from '#app/ui/layout.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { SetupChecks } from './setup-checks.tsx'
import styles from './first-steps.module.css'

type DoneSteps = Returns<'setup_steps'>

const HIDDEN = 'admin_first_steps_hidden'

/**
 * Checklist for a new shop: steps, which are ticked automatically, and checks of the server. It disappears on request, or after the first
 * paid order once payments are live.
 */
export function FirstSteps() {
  const [isHidden, setIsHidden] = useState(() => localStore().getItem(HIDDEN) === 'true')
  const done = useBackendQuery(['first-steps'], (backend) => backend.rpc('setup_steps'), {
    enabled: !isHidden,
  })
  if (isHidden || !done.data || (done.data.first_order && done.data.live_payments)) return null
  const steps = stepsOf(done.data)
  const left = steps.filter(({ isDone }) => !isDone).length

  const hide = () => {
    localStore().setItem(HIDDEN, 'true')
    setIsHidden(true)
  }
  return (
    <Panel as="section" gap={3} className={styles.box} aria-label="First steps">
      <Row gap={2} columnGap={4} align="baseline" justify="between" wrap>
        <h2>Steps to your first sale</h2>
        <Hint as="span">
          {steps.length - left} of {steps.length} done
        </Hint>
      </Row>
      <Grid as="ol" columns="repeat(auto-fit, minmax(min(260px, 100%), 1fr))" columnGap={4}>
        {steps.map(({ label, path, isDone }) => (
          <Row as="li" gap={2} touch tone={isDone ? 'success' : 'muted'} key={label}>
            {isDone ? <CircleCheck size={20} aria-hidden /> : <CircleDashed size={20} aria-hidden />}
            <Text as={Link} tone={isDone ? 'muted' : undefined} to={path}>
              {label}
            </Text>
            {isDone && <VisuallyHidden>done</VisuallyHidden>}
          </Row>
        ))}
      </Grid>
      <SetupChecks />
      <Button look="quiet" className={styles.hide} onClick={hide}>
        Don’t show this again
      </Button>
    </Panel>
  )
}

function stepsOf(done: DoneSteps) {
  return [
    { label: 'Add a second step to your sign-in', path: '/account/security', isDone: done.second_factor },
    { label: 'Set your shipping rates', path: '/admin/settings', isDone: done.settings },
    { label: 'Enter your stock', path: '/admin/products', isDone: done.stock },
    { label: 'Get your first paid order', path: '/admin/orders', isDone: done.first_order },
    ...(done.live_payments
      ? []
      : [{ label: 'Switch PayFast to live', path: '/admin/settings', isDone: false }]),
  ]
}
