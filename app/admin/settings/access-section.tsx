import { CircleAlert, ShieldCheck } from 'lucide-react'
import { Link } from 'react-router'
import { Badge } from '#app/ui/badge.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { useAdmins } from '../history/change.ts'
import { Failure } from '../list/resource-list.tsx'
import styles from './settings.module.css'
import { useChangeSettings, type ShopSettings } from './settings.ts'

/** Who may come in here, and with what. */
export function AccessSection({ settings }: { settings: ShopSettings }) {
  const admins = useAdmins()
  const change = useChangeSettings()
  const isRequired = change.isPending
    ? change.variables.values.requires_second_factor === true
    : settings.requires_second_factor

  return (
    <div className={styles.block}>
      <span className={styles.switch}>
        <Switch
          label="Every admin must have a second step"
          isOn={isRequired}
          disabled={change.isPending}
          onSwitch={(requires_second_factor) =>
            change.mutate({ seen: settings, values: { requires_second_factor } })
          }
        />{' '}
        Every admin must have a second step
      </span>
      <p className={styles.hint}>
        An authenticator app or a passkey, besides the password. Whoever has none is led to{' '}
        <Link to="/account/security">Sign-in and security</Link> and comes in once it is added; you need one
        yourself to turn this on. Should it ever go wrong: <code>npm run admin -- second-step optional</code>{' '}
        on the server.
      </p>
      {admins.isPending && <Skeleton height={88} />}
      {admins.isError && (
        <Failure what="The admins" error={admins.error} onRetry={() => void admins.refetch()} />
      )}
      <ul className={styles.rows}>
        {admins.data?.map(({ id, name, has_second_factor }) => (
          <li key={id}>
            <Link to={`/admin/history?who=${id}`}>{name}</Link>
            {has_second_factor ? (
              <Badge tone="success">
                <ShieldCheck size={14} aria-hidden /> Second step
              </Badge>
            ) : (
              <Badge tone="warning">
                <CircleAlert size={14} aria-hidden /> Password only
              </Badge>
            )}
          </li>
        ))}
      </ul>
      <p className={styles.hint}>
        Admins are made and unmade on the server: <code>npm run admin -- grant</code> or <code>revoke</code>,
        and an e-mail address. With <code>helper</code> after it, somebody may work on orders, photos and
        messages, and sees no clients, payments or settings.
      </p>
    </div>
  )
}
