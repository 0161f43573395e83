import type { Hono } from 'hono'

import { AuthError } from './errors.ts'

/** Refuses GoTrue's sign-in methods that this service does not implement, with GoTrue's errors for disabled ones. */
export function refuseUnsupportedMethods(app: Hono): void {
  app.post('/sso', () => {
    throw new AuthError('saml_provider_disabled', 'SAML 2.0 is disabled')
  })
  for (const path of ['/user/identities/authorize', '/user/identities/:id']) {
    app.on(['GET', 'DELETE'], path, () => {
      throw new AuthError('manual_linking_disabled', 'Manual linking is disabled')
    })
  }
}

export function refuseUnsupportedGrant(type: string): never {
  if (type === 'web3') throw new AuthError('web3_provider_disabled', 'Web3 provider is disabled')
  if (type === 'id_token') throw new AuthError('provider_disabled', 'Provider is not enabled')
  throw new AuthError('validation_failed', 'unsupported_grant_type')
}
