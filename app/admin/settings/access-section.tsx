import { Link } from 'react-router'
import { Row } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { QueryFailure } from '../list/resource-list.tsx'
import styles from './settings.module.css'
import { useChangeSettings, useSecondFactorRule, type ShopSettings } from './settings.ts'

export function AccessSection({ settings }: { settings: ShopSettings }) {
  const change = useChangeSettings()
  const rule = useSecondFactorRule()
  if (rule.isPending) return <Skeleton height={88} />
  if (rule.isError) return <QueryFailure what="This setting" query={rule} />
  const isRequired = change.isPending
    ? change.variables.values.requires_second_factor === true
    : rule.data.is_required

  return (
    <div className={styles.block}>
      <Row touch as="span" gap={3}>
        <Switch
          label="Every admin must have a second step"
          isOn={isRequired}
          disabled={change.isPending}
          onSwitch={(requires_second_factor) =>
            change.mutate({ seen: settings, values: { requires_second_factor } })
          }
        />{' '}
        Every admin must have a second step
      </Row>
      {rule.data.is_public_address && !isRequired && (
        <p className={styles.warning} role="alert">
          This shop is on a public address. While this is off, a stolen or guessed admin password is enough to
          open orders, payments and customer details. Turn it on unless you have a reason not to.
        </p>
      )}
      <p className={styles.hint}>
        An authenticator app or a passkey, in addition to the password. It’s on by default on a public
        address. Admins without one are sent to <Link to="/account/security">Sign-in and security</Link> and
        can open the admin area once they’ve added it. You need one yourself to turn this on. If every admin
        is locked out, run <code>npm run admin -- second-step optional</code> on the server.
      </p>
    </div>
  )
}
