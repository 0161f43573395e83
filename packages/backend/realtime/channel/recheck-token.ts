import type { RealtimeParts } from '../parts.ts'
import { identify } from './caller.ts'
import type { Channel } from './channel.ts'
import { closeWithReason } from './leave.ts'

/** Schedules the next check of the token: at its expiry, and periodically before, because sessions may end earlier. */
export function scheduleTokenCheck(parts: RealtimeParts, channel: Channel): void {
  clearTimeout(channel.tokenCheckTimer)
  if (!channel.token) return
  const { exp } = channel.caller.claims
  const untilExpiry = typeof exp === 'number' ? exp * 1000 - Date.now() : Infinity
  const waitMs = Math.max(0, Math.min(untilExpiry, parts.limits.tokenCheckMs))
  channel.tokenCheckTimer = setTimeout(() => {
    recheckToken(parts, channel).catch((error: unknown) => {
      parts.log.error({ err: error }, 'Could not check a token')
      scheduleTokenCheck(parts, channel)
    })
  }, waitMs + 1).unref()
}

async function recheckToken(parts: RealtimeParts, channel: Channel): Promise<void> {
  const { token, connection } = channel
  const identified = await identify(parts, token, connection.keyHolder)
  // The token may have been replaced or the channel closed during the check.
  if (channel.token !== token || connection.channels.get(channel.topic) !== channel) return
  if ('problem' in identified) closeWithReason(parts, channel, identified.problem)
  else scheduleTokenCheck(parts, channel)
}
