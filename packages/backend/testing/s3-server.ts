import { existsSync } from 'node:fs'

/** Of Debian's packages swift-proxy, swift-account, swift-container, swift-object and memcached. */
const PROGRAMS = [
  'swift-proxy-server',
  'swift-account-server',
  'swift-container-server',
  'swift-object-server',
  'memcached',
]

const PACKAGES =
  'apt-get install --no-install-recommends swift-proxy swift-account swift-container swift-object memcached'

/** Why tests with a real S3 server do not run; null when they do. The server takes five seconds to start, so the gate does without it. */
export function whyWithoutS3Server(): string | null {
  if (process.env.TEST_RUN !== 'long') return 'needs an S3 server: runs with TEST_RUN=long'
  const missing = PROGRAMS.some((program) => !existsSync(`/usr/bin/${program}`))
  return missing ? `needs an S3 server: ${PACKAGES}` : null
}
