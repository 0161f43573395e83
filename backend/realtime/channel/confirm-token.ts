import type { RealtimeParts } from '../parts.ts'
import { identify } from './caller.ts'
import type { Channel } from './channel.ts'
import { shutChannel } from './leave.ts'

/** Asks again whether the token counts: when it expires, and now and then before, since sessions end early. */
export function confirmLater(parts: RealtimeParts, channel: Channel): void {
  clearTimeout(channel.confirming)
  if (!channel.token) return
  const { exp } = channel.caller.claims
  const untilExpiry = typeof exp === 'number' ? exp * 1000 - Date.now() : Infinity
  const waitMs = Math.max(0, Math.min(untilExpiry, parts.limits.confirmTokenMs))
  channel.confirming = setTimeout(() => {
    confirm(parts, channel).catch((error: unknown) => {
      parts.log.error({ err: error }, 'a token could not be confirmed')
      confirmLater(parts, channel)
    })
  }, waitMs + 1).unref()
}

async function confirm(parts: RealtimeParts, channel: Channel): Promise<void> {
  const { token, connection } = channel
  const identified = await identify(parts, token, connection.keyHolder)
  // A newer token may have come, or the channel gone, while this one was looked at.
  if (channel.token !== token || connection.channels.get(channel.topic) !== channel) return
  if ('problem' in identified) shutChannel(parts, channel, identified.problem)
  else confirmLater(parts, channel)
}
