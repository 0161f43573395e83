/**
 * The shop's colours and fonts for places without `app/ui/tokens.css`: mails, the pages that their links open, the payment simulator and
 * the web app manifest. `brand.test.ts` compares the colours with the tokens.
 */

/** On a light background. */
export const colour = {
  sea: '#091d25',
  paper: '#f4f7f9',
  card: '#ffffff',
  ink: '#0e1d24',
  muted: '#49585f',
  line: '#d2d9db',
  action: '#fd6a3a',
  onAction: '#200e0c',
  onDark: '#eff5f6',
  mutedOnDark: '#aabbbf',
  danger: '#b7191c',
  focus: '#005766',
} as const

/** In dark mode, where it differs. */
export const darkColour = {
  page: '#05141b',
  card: '#142d35',
  line: '#2b4148',
  focus: '#7edde2',
} as const

export const FONTS_PATH = '/fonts'

/** For pages outside the build. */
export const fontFaces = `
  @font-face { font-family: 'Big Shoulders Display Variable'; font-weight: 800 900; font-display: swap; src: url('${FONTS_PATH}/display.woff2') format('woff2'); }
  @font-face { font-family: 'Hanken Grotesk Variable'; font-weight: 400 750; font-display: swap; src: url('${FONTS_PATH}/text.woff2') format('woff2'); }`

export const pageFont = {
  display: "'Big Shoulders Display Variable', 'Arial Narrow', Impact, sans-serif",
  text: "'Hanken Grotesk Variable', system-ui, sans-serif",
} as const
