import { isOpaqueKey } from '#backend/http/keys.ts'

import type { RealtimeParts } from '../parts.ts'
import { identify } from './caller.ts'
import type { Channel } from './channel.ts'
import { confirmLater } from './confirm-token.ts'
import { shutChannel } from './leave.ts'
import { readRights } from './rights.ts'

/** `access_token`: the channel goes on as whoever the new token names, or ends with the reason why it cannot. */
export async function refreshToken(parts: RealtimeParts, channel: Channel, token: unknown): Promise<void> {
  // A key says nothing about a person: the client sends it in the place of a token that it does not have.
  if (typeof token !== 'string' || isOpaqueKey(token) || token === channel.token) return
  const identified = await identify(parts, token, channel.connection.keyHolder)
  if ('problem' in identified) return shutChannel(parts, channel, identified.problem)
  channel.token = identified.token
  channel.caller = identified.caller
  confirmLater(parts, channel)
  if (!channel.isPrivate) return

  const before = channel.rights
  channel.rights = await readRights(parts.database, channel)
  const { hears, seesPresence } = channel.rights
  if ((before.hears && !hears) || (before.seesPresence && !seesPresence)) {
    shutChannel(
      parts,
      channel,
      `You no longer have permission to read from this Channel topic: ${channel.name}`,
    )
  }
}
