import { html } from 'hono/html'
import { colour, darkColour, pageFont } from '#domain/brand.ts'
import { retryPage } from './retry-page.ts'

const RETRY_AFTER_SECONDS = 4

/** The dark sea of the shop's first screen, in every colour scheme. */
const STYLE = `
  :root { color-scheme: dark; --focus: ${darkColour.focus}; }
  body { display: grid; grid-template-rows: auto 1fr; min-height: 100vh; background: ${colour.sea}; color: ${colour.onDark}; }
  header, main { padding-inline: clamp(20px, 6vw, 96px); }
  main { align-self: center; box-sizing: border-box; width: 100%; max-width: 1100px; margin: 0; padding-block: 32px 12vh; }
  h1 { margin: 28px 0; font: 850 clamp(48px, 10vw, 112px)/.94 ${pageFont.display}; text-transform: uppercase; text-wrap: balance; }
  p { max-width: 36em; font-size: 19px; }
  .note { margin-bottom: 32px; color: ${colour.mutedOnDark}; }
  .wave { width: 160px; height: 4px; background: ${darkColour.line}; overflow: hidden; }
  .wave::before { content: ''; display: block; width: 40%; height: 100%; background: ${colour.action}; animation: drift 1.4s ease-in-out infinite alternate; }
  @keyframes drift { to { transform: translateX(150%); } }
  @media (prefers-reduced-motion: reduce) { .wave::before { animation: none; } }`

/** The 503 for browsers while the shop is too full to render one more page. It promises no place in a queue: there is none. */
export const busyPage = retryPage({
  title: 'Many anglers are here right now',
  content: html`<div class="wave"></div>
    <p>
      The shop is full for the moment. This page tries again by itself every few seconds, and opens as soon as
      there is room.
    </p>
    <p class="note">
      Your cart is kept. You lose nothing by waiting here: everyone has the same chance at the next try.
    </p>
    <p><a class="button" href="">Try now</a></p>`,
  retryAfterSeconds: RETRY_AFTER_SECONDS,
  style: STYLE,
})
