import { Link } from 'react-router'
import { Switch } from '#app/ui/switch.tsx'
import styles from './settings.module.css'
import { useChangeSettings, type ShopSettings } from './settings.ts'

/** With what everybody who works here comes in. */
export function AccessSection({ settings }: { settings: ShopSettings }) {
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
    </div>
  )
}
