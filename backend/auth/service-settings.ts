import type { Context } from 'hono'

import type { AuthParts } from './parts.ts'

/** Every provider GoTrue could have; only e-mail is served. */
const PROVIDERS = [
  'anonymous_users',
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'figma',
  'fly',
  'github',
  'gitlab',
  'google',
  'kakao',
  'keycloak',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'phone',
  'slack',
  'slack_oidc',
  'spotify',
  'twitch',
  'twitter',
  'workos',
  'zoom',
]

/** GET /settings: what a sign-in page may offer. */
export function serviceSettings({ settings }: AuthParts, c: Context): Response {
  return c.json({
    external: { ...Object.fromEntries(PROVIDERS.map((name) => [name, false])), email: true },
    disable_signup: !settings.isSignUpOpen,
    mailer_autoconfirm: settings.autoconfirm,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
    passkeys_enabled: false,
  })
}
