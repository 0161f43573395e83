import { colour, darkColour } from '#domain/brand.ts'

export const font = {
  display: "'Big Shoulders Display','Arial Narrow',Impact,Arial,sans-serif",
  text: "'Hanken Grotesk',-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
} as const

/**
 * Colours are inline for mail programs that drop the head; `!important` overrides them in programs that support dark mode.
 * The header is dark in both modes, so that no program inverts it.
 */
export const darkStyles = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page, .page > table > tbody > tr > td { background-color: ${darkColour.page} !important; }
    .card { background-color: ${darkColour.card} !important; }
    .ink, .ink a { color: ${colour.onDark} !important; }
    .muted, .muted a { color: ${colour.mutedOnDark} !important; }
    .line { border-color: ${darkColour.line} !important; }
    .action { background-color: ${colour.action} !important; color: ${colour.onAction} !important; }
  }
  @media (max-width: 480px) { .edge { padding-left: 20px !important; padding-right: 20px !important; } }
`
