/**
 * Features for developers only: the mailbox with its sign-in links, e-mail previews, and the payment simulator, which marks
 * any order as paid. All are mounted here, so that one guard covers them.
 */
import { createMiddleware } from 'hono/factory'
import { type Api, isLoopbackAddress, isLoopbackHost, type ListenerContext } from '@saltfreak/backend'
import { createMailbox } from '#emails/outbox/mailbox.ts'
import { createSimulator } from '#payments/simulator/create-simulator.ts'
import type { ShopParts } from './shop-parts.ts'
import { hasMailbox } from './has-mailbox.ts'
import { payfastAccount } from './payfast-account.ts'

/** Headers that proxies, load balancers and CDNs add. A local proxy connects from loopback, so only headers reveal it. */
const FORWARDING =
  /^(forwarded|via|cdn-loop|x-forwarded(-.+)?|x-original-.+|x-envoy-.+|x-amzn-trace-id|x-cloud-trace-context|(cf|fly|fastly)-.+|(x-)?(real|client|cluster-client|true-client)-ip)$/

/** Responds with 404 unless both client and host name are loopback and no proxy is in between. */
export const requireLoopback = createMiddleware<{ Bindings: ListenerContext | undefined }>(
  async (c, next) => {
    const isLoopback = isLoopbackAddress(c.env?.remoteAddress) && isLoopbackHost(new URL(c.req.url).hostname)
    const isForwarded = Object.keys(c.req.header()).some((name) => FORWARDING.test(name))
    return isLoopback && !isForwarded ? next() : c.notFound()
  },
)

export function mountDevelopment(api: Api, parts: ShopParts): void {
  const { settings, database, log } = parts
  const { publicUrl, givesOrdersAway } = settings
  const account = payfastAccount(parts)

  api.use('/dev/*', requireLoopback)
  if (hasMailbox(settings)) api.route('/dev/mail', createMailbox(database.owner))

  if (account.mode !== 'simulator') return
  if (!givesOrdersAway) api.use('/simulator/*', requireLoopback)
  api.route('/simulator', createSimulator({ owner: database.owner, account, publicUrl, log }))
}
