import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { colour, darkColour, fontFaces, pageFont } from './brand.ts'

const tokens = readFileSync(new URL('../app/ui/tokens.css', import.meta.url), 'utf8')
const [onPaper = '', onDeep = ''] = tokens.split("[data-surface='deep'],\n[data-theme='dark']")

it.each([
  [colour.sea, 'deep', onPaper],
  [colour.paper, 'surface', onPaper],
  [colour.card, 'surface-raised', onPaper],
  [colour.ink, 'ink', onPaper],
  [colour.muted, 'ink-muted', onPaper],
  [colour.line, 'line', onPaper],
  [colour.action, 'action', onPaper],
  [colour.onAction, 'on-action', onPaper],
  [colour.danger, 'danger', onPaper],
  [colour.focus, 'focus', onPaper],
  [colour.onDark, 'on-deep', onPaper],
  [colour.mutedOnDark, 'ink-muted', onDeep],
  [darkColour.page, 'deepest', onPaper],
  [darkColour.card, 'deep-raised', onPaper],
  [darkColour.line, 'line', onDeep],
  [darkColour.focus, 'focus', onDeep],
])('uses %s in mails and on payment pages for the token --%s', (hex, name, css) => {
  const figures = new RegExp(`--${name}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(css)

  expect(hex).toBe(hexOf(figures?.slice(1).map(Number) ?? []))
})

it.each(['display', 'text'] as const)('uses the same %s font on payment pages as on other pages', (role) => {
  const faces = readFileSync(new URL('../app/ui/fonts.css', import.meta.url), 'utf8')
  const family = new RegExp(`--font-${role}:\\s*('[^']+')`).exec(tokens)?.[1] ?? 'no face'
  const face = (css: string) =>
    new RegExp(`font-family: ${family};\\s*font-weight: ([^;]+);[^}]*${role}\\.woff2`).exec(css)?.[1]

  expect(pageFont[role].startsWith(`${family},`)).toBe(true)
  expect(face(fontFaces)).toBe(face(faces))
  expect(face(faces)).toBeDefined()
})

/** OKLCH to sRGB, by Ottosson's matrices, clipped. */
function hexOf([lightness = 0, chroma = 0, hue = 0]: number[]): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  const channels = linear.map((value) => {
    const clipped = Math.min(1, Math.max(0, value))
    const shown = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055
    return Math.round(shown * 255)
  })
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
