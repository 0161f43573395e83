/**
 * Generates the shop's two font files with the letters and weights that its pages use, which saves two fifths of their size. Run it
 * by hand after changing either: `node scripts/fonts.mjs`.
 */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const fonts = join(import.meta.dirname, '../assets/fonts')

/** Latin with all accents, because customers type names of people and places. */
const LETTERS = String.fromCodePoint(...Array.from({ length: 0x180 - 0x20 }, (_, index) => 0x20 + index))
const SIGNS = '–—‘’‚“”„‹›•…€™←↑→↓−×≈≤≥′″·'

const FONTS = [
  {
    whole: import.meta
      .resolve('@fontsource-variable/big-shoulders-display/files/big-shoulders-display-latin-wght-normal.woff2'),
    file: 'display',
    wght: { min: 800, max: 900 },
  },
  {
    whole: import.meta
      .resolve('@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2'),
    file: 'text',
    wght: { min: 400, max: 750 },
  },
]

for (const { whole, file, wght } of FONTS) {
  const letters = await readFile(fileURLToPath(whole))
  const kept = await subsetFont(letters, LETTERS + SIGNS, { targetFormat: 'woff2', variationAxes: { wght } })
  await writeFile(join(fonts, `${file}.woff2`), kept)
  await copyFile(fileURLToPath(new URL('../LICENSE', whole)), join(fonts, `${file}.license.txt`))
  console.log(`${file}.woff2 ${kept.byteLength} of ${letters.byteLength} bytes`)
}
