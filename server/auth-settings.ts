import type { AuthSettingsInput } from '@saltfreak/backend'
import { shop } from '#shop'
import { confirmPage } from './confirm-page.ts'
import type { Settings } from './settings.ts'

/** The shop's settings for the accounts service. */
export function authSettings({
  publicUrl,
  confirmSignUps,
  mailSignIn,
  redirectAllowList,
}: Settings): AuthSettingsInput {
  return {
    autoconfirm: !confirmSignUps,
    isMailSignInOpen: mailSignIn,
    redirectAllowList,
    confirmPage,
    linkPage: '/auth/link',
    // Changed addresses are confirmed by e-mail even when sign-ups are not.
    isEmailChangeMailed: true,
    passwordChangeNeedsReauthentication: true,
    factorChangeNeedsReauthentication: true,
    passkeys: { id: new URL(publicUrl).hostname, name: shop.name, origins: [publicUrl] },
  }
}
