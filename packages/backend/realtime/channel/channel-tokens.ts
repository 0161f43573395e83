import type { DatabasePools } from '#backend/database/pool.ts'
import { isOpaqueKey } from '#backend/http/keys.ts'

import type { Hub } from '../hub.ts'
import type { Identify } from './caller.ts'
import { isJoined, type Channel } from './channel.ts'
import { closeWithReason } from './leave.ts'
import { readRights } from './rights.ts'
import type { Log } from '#backend/process/log.ts'

interface ChannelTokensOptions {
  database: DatabasePools
  hub: Hub
  identify: Identify
  checkIntervalMs: number
  log: Pick<Log, 'error' | 'warn'>
}

/** Checks and replaces the tokens of joined channels. */
export class ChannelTokens {
  readonly #options: ChannelTokensOptions

  constructor(options: ChannelTokensOptions) {
    this.#options = options
  }

  /** Schedules the next check of the token: at its expiry, and periodically before, because sessions may end earlier. */
  scheduleCheck(channel: Channel): void {
    clearTimeout(channel.tokenCheckTimer)
    if (!channel.token) return
    const { exp } = channel.caller.claims
    const untilExpiry = typeof exp === 'number' ? exp * 1000 - Date.now() : Infinity
    const waitMs = Math.max(0, Math.min(untilExpiry, this.#options.checkIntervalMs))
    channel.tokenCheckTimer = setTimeout(() => {
      this.#check(channel).catch((error: unknown) => {
        this.#options.log.error({ err: error }, 'Could not check a token')
        this.scheduleCheck(channel)
      })
    }, waitMs + 1).unref()
  }

  async #check(channel: Channel): Promise<void> {
    const { token, connection } = channel
    const identified = await this.#options.identify(token, connection.keyHolder)
    // The token may have been replaced or the channel closed during the check.
    if (channel.token !== token || !isJoined(channel)) return
    if ('problem' in identified) closeWithReason(this.#options.hub, channel, identified.problem)
    else this.scheduleCheck(channel)
  }

  /** Handles `access_token`: changes the channel's caller, or closes the channel when the token is invalid or has fewer rights. */
  async replace(channel: Channel, token: unknown): Promise<void> {
    const { database, hub, identify } = this.#options
    // The client sends its API key when it has no token; the key does not identify an account.
    if (typeof token !== 'string' || isOpaqueKey(token) || token === channel.token) return
    const identified = await identify(token, channel.connection.keyHolder)
    if (!isJoined(channel)) return
    if ('problem' in identified) return closeWithReason(hub, channel, identified.problem)
    channel.token = identified.token
    channel.caller = identified.caller
    this.scheduleCheck(channel)
    if (!channel.isPrivate) return

    const before = channel.rights
    channel.rights = await readRights(database, channel)
    const { mayReceive, maySeePresence } = channel.rights
    if ((before.mayReceive && !mayReceive) || (before.maySeePresence && !maySeePresence)) {
      closeWithReason(
        hub,
        channel,
        `You no longer have permission to read from this Channel topic: ${channel.name}`,
      )
    }
  }
}
