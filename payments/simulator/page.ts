import { html, raw } from 'hono/html'

import { colour, darkColour, fontFaces, pageFont } from '#domain/brand.ts'
import { shop } from '#shop'

/** Every page of the simulator says that it moves no money. */
export function page(title: string, content: unknown) {
  return html`<!doctype html>
    <html lang="en-ZA">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · ${shop.name}</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <aside class="test" aria-label="Test">
          <strong>Test payment.</strong> No money moves. This page stands in for PayFast.
        </aside>
        <header>${shop.name}</header>
        <main>${content}</main>
      </body>
    </html>`
}

const STYLE = `${fontFaces}
  :root { color-scheme: light dark; --page: ${colour.paper}; --card: ${colour.card}; --ink: ${colour.ink}; --muted: ${colour.muted}; --line: ${colour.line}; --action: ${colour.action}; --on-action: ${colour.onAction}; --focus: ${colour.focus}; }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; background: var(--page); color: var(--ink); font: 17px/1.5 ${pageFont.text}; }
  .test { margin: 0; padding: 10px 16px; text-align: center; background: repeating-linear-gradient(-45deg, #ffd166 0 18px, #ffc233 18px 36px); color: ${colour.ink}; }
  header { background: ${colour.sea}; color: ${colour.onDark}; padding: 18px 24px; font: 800 30px/1 ${pageFont.display}; letter-spacing: .04em; text-transform: uppercase; }
  main { max-width: 520px; margin: 24px auto; padding: 28px; background: var(--card); border-radius: 12px; }
  @media (max-width: 560px) { main { margin: 0; border-radius: 0; padding: 24px 20px; } }
  h1 { margin: 0 0 16px; font: 800 44px/1 ${pageFont.display}; font-variant-numeric: tabular-nums; }
  dl { margin: 0 0 20px; }
  dl div { display: flex; gap: 16px; justify-content: space-between; padding: 8px 0; border-bottom: 1px solid var(--line); }
  dt { color: var(--muted); }
  dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
  button, a.main { min-height: 48px; padding: 10px 18px; border: 1px solid var(--line); border-radius: 8px; background: transparent; color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
  .main { display: block; width: 100%; border: 0; background: var(--action); color: var(--on-action); font-size: 19px; text-align: center; text-decoration: none; }
  button:focus-visible, summary:focus-visible, a:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
  .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; margin: 12px 0 20px; }
  .declined { padding: 10px 14px; border-left: 4px solid ${colour.danger}; }
  details { border-top: 1px solid var(--line); padding-top: 12px; }
  summary { min-height: 44px; padding: 8px 0; font-weight: 600; cursor: pointer; }
  details p, li span { color: var(--muted); }
  ul { list-style: none; margin: 0; padding: 0; }
  li { display: grid; grid-template-columns: 11rem 1fr; gap: 12px; align-items: center; padding: 6px 0; font-size: 15px; }
  @media (max-width: 420px) { li { grid-template-columns: 1fr; gap: 2px; } }
  @media (prefers-color-scheme: dark) {
    :root { --page: ${darkColour.page}; --card: ${darkColour.card}; --ink: ${colour.onDark}; --muted: ${colour.mutedOnDark}; --line: ${darkColour.line}; --action: ${colour.action}; --on-action: ${colour.onAction}; --focus: ${darkColour.focus}; }
  }
`
