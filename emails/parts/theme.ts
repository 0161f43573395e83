/** The shop's colours as mail programs read them, and what changes when the reader's screen is dark. */
export const colour = {
  sea: '#091d25',
  paper: '#f4f7f9',
  card: '#ffffff',
  ink: '#0e1d24',
  quiet: '#49585f',
  line: '#d2d9db',
  action: '#fd6a3a',
  onAction: '#200e0c',
  onDark: '#eff5f6',
  quietOnDark: '#aabbbf',
} as const

export const font = {
  display: "'Big Shoulders Display','Arial Narrow',Impact,Arial,sans-serif",
  text: "'Hanken Grotesk',-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
} as const

/**
 * Colours are inline for programs that drop the head; these rules win where a program knows dark mode.
 * The header is dark in both, so that nothing inverts it.
 */
export const darkStyles = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page, .page > table > tbody > tr > td { background-color: #05141b !important; }
    .card { background-color: #142d35 !important; }
    .ink, .ink a { color: #eff5f6 !important; }
    .quiet, .quiet a { color: #aabbbf !important; }
    .line { border-color: #2b4148 !important; }
    .action { background-color: #fd6a3a !important; color: #200e0c !important; }
  }
  @media (max-width: 480px) { .card { padding: 24px 20px !important; } }
`
