/**
 * Generates the shop's two font files with the letters and weights that its pages use, which saves two fifths of their size. Run it
 * by hand after changing either: `node scripts/fonts.mjs`.
 */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import subsetFont from 'subset-font'

const root = join(import.meta.dirname, '..')

/** Latin with all accents, because customers type names of people and places. */
const LETTERS = String.fromCodePoint(...Array.from({ length: 0x180 - 0x20 }, (_, index) => 0x20 + index))
const SIGNS = '–—‘’‚“”„‹›•…€™←↑→↓−×≈≤≥′″·'

const FONTS = [
  { family: 'big-shoulders-display', file: 'display', wght: { min: 800, max: 900 } },
  { family: 'hanken-grotesk', file: 'text', wght: { min: 400, max: 750 } },
]

for (const { family, file, wght } of FONTS) {
  const origin = join(root, 'node_modules/@fontsource-variable', family)
  const whole = await readFile(join(origin, `files/${family}-latin-wght-normal.woff2`))
  const kept = await subsetFont(whole, LETTERS + SIGNS, { targetFormat: 'woff2', variationAxes: { wght } })
  await writeFile(join(root, `assets/fonts/${file}.woff2`), kept)
  await copyFile(join(origin, 'LICENSE'), join(root, `assets/fonts/${file}.license.txt`))
  console.log(`${file}.woff2 ${kept.byteLength} of ${whole.byteLength} bytes`)
}
