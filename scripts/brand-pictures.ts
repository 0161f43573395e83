/**
 * Generates icons and the picture of shared links from the logo, the shop's name and `assets/og/og-background.jpg`. Run it by hand
 * after changing one of them: `node scripts/brand-pictures.ts`.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { shop } from '#shop'
import { findBrowser } from './browser.mjs'

const folder = join(import.meta.dirname, '..')
const logoFolder = join(folder, 'assets/logo')
const GROUND = '#06262e'

const logo = await readFile(join(logoFolder, 'favicon.svg'))
const size = (width: number, density = 72 * (width / 32)) => sharp(logo, { density }).resize(width, width)

await size(192).png({ palette: true }).toFile(join(logoFolder, 'icon-192.png'))
await size(512).png({ palette: true }).toFile(join(logoFolder, 'icon-512.png'))
// Phones crop maskable icons to any shape: the logo stays within the middle four fifths.
await onGround(512, 0.7, join(logoFolder, 'icon-maskable-512.png'))
await onGround(180, 0.8, join(logoFolder, 'apple-touch-icon.png'))
await mkdir(join(folder, 'public'), { recursive: true })
await writeFile(join(folder, 'public/favicon.ico'), iconFile(await size(48).png().toBuffer(), 48))
await sharePicture(join(folder, 'assets/og/share.jpg'))

async function onGround(width: number, share: number, path: string): Promise<void> {
  const mark = await size(Math.round(width * share))
    .png()
    .toBuffer()
  await sharp({ create: { width, height: width, channels: 4, background: GROUND } })
    .composite([{ input: mark }])
    .png({ palette: true })
    .toFile(path)
}

/** Returns an ICO file: a directory with one entry, followed by a PNG. */
function iconFile(png: Buffer, width: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(width, 6)
  head.writeUInt8(width, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.byteLength, 14)
  head.writeUInt32LE(head.byteLength, 18)
  return Buffer.concat([head, png])
}

async function sharePicture(path: string): Promise<void> {
  const font = (name: string, file: string) =>
    `@font-face { font-family: ${name}; font-weight: 100 900; src: url(${fileUrl(`node_modules/@fontsource-variable/${file}`)}) }`
  const mark = await readFile(join(logoFolder, 'logo-mark.svg'), 'utf8')
  const page = join(folder, 'share-picture.html')
  await writeFile(
    page,
    `<!doctype html><meta charset="utf-8"><style>
      ${font('display', 'big-shoulders-display/files/big-shoulders-display-latin-wght-normal.woff2')}
      ${font('text', 'hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2')}
      body { margin: 0; width: 1200px; height: 630px; color: #f1f7f9; background: url(${fileUrl('assets/og/og-background.jpg')}) }
      main { position: absolute; left: 64px; bottom: 56px; width: 620px }
      svg { width: 88px; color: #2bb3a6 }
      h1 { margin: 12px 0 8px; font: 900 104px/0.9 display; text-transform: uppercase }
      p { margin: 0; font: 500 30px/1.3 text }
    </style><main>${mark}<h1>${shop.name}</h1><p>${shop.headline}</p></main>`,
  )
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    chromiumSandbox: process.getuid?.() !== 0,
  })
  const tab = await browser.newPage({ viewport: { width: 1200, height: 630 } })
  await tab.goto(pathToFileURL(page).href, { waitUntil: 'networkidle' })
  await tab.evaluate(() => document.fonts.ready)
  await tab.screenshot({ path, type: 'jpeg', quality: 82 })
  await browser.close()
  await rm(page)
}

function fileUrl(path: string): string {
  return pathToFileURL(join(folder, path)).href
}
