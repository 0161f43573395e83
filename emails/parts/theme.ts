/** The shop's colours as mail programs read them, and what changes when the reader's screen is dark. */
export const colour = {
  sea: '#0b1c24',
  paper: '#f3f6f7',
  card: '#ffffff',
  ink: '#14242c',
  quiet: '#51646e',
  line: '#dbe3e6',
  action: '#c23a10',
  onDark: '#f3f6f7',
  quietOnDark: '#a9bcc5',
} as const

export const font = {
  display: "'Sofia Sans Extra Condensed','Oswald','Arial Narrow',Impact,sans-serif",
  text: "'Hanken Grotesk',-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
} as const

/**
 * Colours are inline for programs that drop the head; these rules win where a program knows dark mode.
 * The header is dark in both, so that nothing inverts it.
 */
export const darkStyles = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page, .page > table > tbody > tr > td { background-color: #0b141a !important; }
    .card { background-color: #14232b !important; }
    .ink, .ink a { color: #eef3f5 !important; }
    .quiet, .quiet a { color: #a9bcc5 !important; }
    .line { border-color: #2b3d46 !important; }
    .action { background-color: #ff7a4d !important; color: #14232b !important; }
  }
  @media (max-width: 480px) { .card { padding: 24px 20px !important; } }
`
