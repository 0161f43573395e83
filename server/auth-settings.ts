import type { AuthSettingsInput } from '#backend/auth/settings.ts'
import { shop } from '#shop'
import { confirmPage } from './confirm-page.ts'
import type { Settings } from './settings.ts'

/** How this shop keeps its accounts. */
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
    // Whoever is signed up at once still proves every address they move to.
    isEmailChangeMailed: true,
    passwordChangeNeedsReauthentication: true,
    passkeys: { id: new URL(publicUrl).hostname, name: shop.name, origins: [publicUrl] },
  }
}
