import type { Factor } from '@supabase/supabase-js'
import { KeyRound, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Panel, Row } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { LoadError } from '../load-error.tsx'
import { Section } from '../section.tsx'
import { AddAuthenticator } from './add-authenticator.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { ProveAgainDialog } from '#app/sign-in/prove-again-dialog.tsx'
import { useFactors } from '#app/sign-in/use-factors.ts'
import { needsProof, useRemoveFactor } from './factors.ts'
import { Item } from './item.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import styles from './security.module.css'

const INTRO =
  'After your password, we ask for a code from your phone or for a passkey. Your password alone is then not enough to sign in.'

export function SecondStepSection({ isAdmin }: { isAdmin: boolean }) {
  const factors = useFactors()
  const isRequired = useSearchParams()[0].get('for') === 'admin'
  const verified = factors.data?.filter(({ status }) => status === 'verified') ?? []

  return (
    <Section title="Second step" intro={INTRO}>
      {factors.isPending && <Skeleton height={96} />}
      <LoadError what="Your second steps could not be loaded." query={factors} />
      {factors.data && (
        <>
          {isAdmin && verified.length === 0 && (
            <Panel as="p" kind="warning" isMarked>
              {isRequired
                ? 'Every admin of this shop must have a second step. Add one here to open the admin panel.'
                : 'You’re an admin of this shop, so please set one up.'}
            </Panel>
          )}
          {isRequired && verified.length > 0 && <ButtonLink to="/admin">Back to the admin panel</ButtonLink>}
          {verified.length > 0 && <FactorList factors={verified} />}
          <Row gap={3} align="stretch" wrap>
            <AddAuthenticator />
            <AddPasskey />
          </Row>
          {verified.length > 0 && <RecoveryCodes />}
        </>
      )}
    </Section>
  )
}

function FactorList({ factors }: { factors: Factor[] }) {
  const [selected, setSelected] = useState<Factor | null>(null)
  const removal = useRemoveFactor()

  const remove = (factor: Factor) =>
    removal.mutate(factor, {
      onSettled: (_removed, error) => !needsProof(error) && setSelected(null),
    })
  const mustProve = needsProof(removal.error)
  const close = () => {
    removal.reset()
    setSelected(null)
  }

  return (
    <>
      <ul className={styles.list}>
        {factors.map((factor) => (
          <Item
            key={factor.id}
            Icon={factor.factor_type === 'totp' ? Smartphone : KeyRound}
            title={factor.friendly_name}
            detail={
              <>
                Added <LocalDate at={factor.created_at} />
              </>
            }
          >
            <Button look="quiet" onClick={() => setSelected(factor)}>
              Remove
            </Button>
          </Item>
        ))}
      </ul>
      <ConfirmDialog
        title={`Remove ${selected?.friendly_name ?? 'this second step'}?`}
        question={
          factors.length === 1
            ? 'This is your only second step. Your password alone will then be enough to sign in, and your recovery codes will stop working.'
            : 'You won’t be able to sign in with it, and other devices that used it are signed out. Your other second steps stay.'
        }
        confirm={{ label: 'Remove', busyLabel: 'Removing...', isBusy: removal.isPending }}
        isOpen={selected !== null && !mustProve}
        onConfirm={() => selected && remove(selected)}
        onClose={close}
      />
      <ProveAgainDialog
        isOpen={selected !== null && mustProve}
        onProven={() => selected && remove(selected)}
        onClose={close}
      />
    </>
  )
}
