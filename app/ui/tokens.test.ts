import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** Colour pairs of text and of control outlines (WCAG 1.4.3 and 1.4.11). */
const TEXT_PAIRS = [
  ['ink', 'surface'],
  ['ink', 'surface-raised'],
  ['ink', 'surface-sunken'],
  ['ink-muted', 'surface'],
  ['ink-muted', 'surface-raised'],
  ['ink-muted', 'surface-sunken'],
  ['link', 'surface'],
  ['link', 'surface-raised'],
  ['success', 'surface'],
  ['success', 'surface-sunken'],
  ['success', 'success-surface'],
  ['warning', 'surface'],
  ['warning', 'warning-surface'],
  ['danger', 'surface'],
  ['danger', 'danger-surface'],
  ['on-action', 'action'],
  ['on-action', 'action-hover'],
] as const
const OUTLINE_PAIRS = [
  ['line-strong', 'surface'],
  ['line-strong', 'surface-raised'],
  ['focus', 'surface'],
  ['focus', 'surface-sunken'],
] as const

const source = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const light = declarations(source.slice(0, source.indexOf("[data-surface='deep'],")))
const deep = { ...light, ...declarations(source.slice(source.indexOf("[data-surface='deep'],"))) }

describe.each([
  ['paper', light],
  ['deep', deep],
])('the %s surface', (_, tokens) => {
  it.each(TEXT_PAIRS)('gives %s text at least 4.5:1 contrast on %s', (text, ground) => {
    expect(contrast(colour(tokens, text), colour(tokens, ground))).toBeGreaterThanOrEqual(4.5)
  })

  it.each(OUTLINE_PAIRS)('gives a %s outline at least 3:1 contrast on %s', (outline, ground) => {
    expect(contrast(colour(tokens, outline), colour(tokens, ground))).toBeGreaterThanOrEqual(3)
  })
})

type Tokens = Record<string, string>
type Oklch = [lightness: number, chroma: number, hue: number]

function declarations(css: string): Tokens {
  return Object.fromEntries(
    [...css.matchAll(/--([a-z-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]),
  )
}

function colour(tokens: Tokens, name: string): Oklch {
  const value = tokens[name]
  const alias = value && /^var\(--([a-z-]+)\)$/.exec(value)?.[1]
  if (alias) return colour(tokens, alias)
  const figures = value && /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(value)
  if (!figures) throw new Error(`--${name} is no opaque oklch colour: ${value}`)
  return [Number(figures[1]), Number(figures[2]), Number(figures[3])]
}

function contrast(one: Oklch, other: Oklch): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

/** OKLCH → relative luminance, by Ottosson's matrices, clipped to sRGB. */
function luminance([lightness, chroma, hue]: Oklch): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s
  return 0.2126 * clip(red) + 0.7152 * clip(green) + 0.0722 * clip(blue)
}

function clip(channel: number): number {
  return Math.min(1, Math.max(0, channel))
}
