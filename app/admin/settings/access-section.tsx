import { Link } from 'react-router'
import { Hint, Panel } from '#app/ui/layout.tsx'
import { LabelledSwitch } from '#app/ui/switch.tsx'
import { Loaded } from '../list/resource-list.tsx'
import { useChangeSettings, useSecondFactorRule, type ShopSettings } from './settings.ts'

export function AccessSection({ settings }: { settings: ShopSettings }) {
  const change = useChangeSettings()
  return (
    <Loaded what="This setting" query={useSecondFactorRule()} height={88}>
      {({ is_required, is_public_address }) => {
        const isRequired = change.isPending
          ? change.variables.values.requires_second_factor === true
          : is_required
        return (
          <>
            <LabelledSwitch
              label="Every admin must have a second step"
              isOn={isRequired}
              disabled={change.isPending}
              onSwitch={(requires_second_factor) =>
                change.mutate({ seen: settings, values: { requires_second_factor } })
              }
            />
            {is_public_address && !isRequired && (
              <Panel as="p" kind="warning" role="alert">
                This shop is on a public address. While this is off, a stolen or guessed admin password is
                enough to open orders, payments and customer details. Turn it on unless you have a reason not
                to.
              </Panel>
            )}
            <Hint breakWords>
              An authenticator app or a passkey, in addition to the password. It’s on by default on a public
              address. Admins without one are sent to <Link to="/account/security">Sign-in and security</Link>{' '}
              and can open the admin area once they’ve added it. You need one yourself to turn this on. If
              every admin is locked out, run <code>npm run admin -- second-step optional</code> on the server.
            </Hint>
          </>
        )
      }}
    </Loaded>
  )
}
