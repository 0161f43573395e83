import { html } from 'hono/html'
import { retryPage } from './retry-page.ts'

const RETRY_AFTER_SECONDS = 4

/** The 503 for browsers while the shop is too full to render one more page. It promises no place in a queue: there is none. */
export const busyPage = retryPage({
  title: 'Many anglers are here right now',
  content: html`<p>
      The shop is full for the moment. This page tries again by itself every few seconds, and opens as soon as
      there is room.
    </p>
    <p class="note">
      Your cart is kept. You lose nothing by waiting here: everyone has the same chance at the next try.
    </p>
    <p><a class="button" href="">Try now</a></p>`,
  retryAfterSeconds: RETRY_AFTER_SECONDS,
})
