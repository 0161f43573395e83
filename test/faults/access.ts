import type { PlantedFault } from './fault.ts'

export const accessFaults: PlantedFault[] = [
  {
    rule: 'redirects stay on the site’s host',
    file: 'packages/backend/auth/codes/redirects.ts',
    find: 'url.host === site.host &&',
    replace: 'url.host.endsWith(site.host) &&',
    tests: ['packages/backend/auth/attacks/disguised-redirects.test.ts'],
  },
  {
    rule: 'redirects keep the site’s scheme',
    file: 'packages/backend/auth/codes/redirects.ts',
    find: '&& url.protocol === site.protocol',
    replace: '',
    tests: ['packages/backend/auth/attacks/disguised-redirects.test.ts'],
  },
  {
    rule: 'an upload token does not read',
    file: 'packages/backend/storage/signed/address-signer.ts',
    find: ' || signed.purpose !== purpose',
    replace: '',
    tests: ['packages/backend/contracts/storage/files.contract.test.ts'],
  },
  {
    rule: 'shared caches do not store private files',
    file: 'packages/backend/storage/objects/read-authenticated.ts',
    find: 'cacheControl: `private, ${content.cacheControl}`',
    replace: 'cacheControl: content.cacheControl',
    tests: ['packages/backend/contracts/storage/files.contract.test.ts'],
  },
  {
    rule: 'an expired token is refused',
    file: 'packages/backend/auth/keys/token-verifier.ts',
    find: 'clockToleranceSeconds = 0',
    replace: 'clockToleranceSeconds = 3600',
    tests: ['packages/backend/auth/keys'],
  },
]
