import { isOpaqueKey } from '#backend/http/keys.ts'

import type { RealtimeParts } from '../parts.ts'
import { identify } from './caller.ts'
import type { Channel } from './channel.ts'
import { scheduleTokenCheck } from './recheck-token.ts'
import { closeWithReason } from './leave.ts'
import { readRights } from './rights.ts'

/** Handles `access_token`: changes the channel's caller, or closes the channel when the token is invalid or has fewer rights. */
export async function refreshToken(parts: RealtimeParts, channel: Channel, token: unknown): Promise<void> {
  // The client sends its API key when it has no token; the key does not identify an account.
  if (typeof token !== 'string' || isOpaqueKey(token) || token === channel.token) return
  const identified = await identify(parts, token, channel.connection.keyHolder)
  if ('problem' in identified) return closeWithReason(parts, channel, identified.problem)
  channel.token = identified.token
  channel.caller = identified.caller
  scheduleTokenCheck(parts, channel)
  if (!channel.isPrivate) return

  const before = channel.rights
  channel.rights = await readRights(parts.database, channel)
  const { mayReceive, maySeePresence } = channel.rights
  if ((before.mayReceive && !mayReceive) || (before.maySeePresence && !maySeePresence)) {
    closeWithReason(
      parts,
      channel,
      `You no longer have permission to read from this Channel topic: ${channel.name}`,
    )
  }
}
