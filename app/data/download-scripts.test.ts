import { beforeEach, expect, it, vi } from 'vitest'
import { downloadScripts } from './download-scripts.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const CHROME = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36'

let requested: string[]
let answers: (() => Response)[]

beforeEach(() => {
  requested = []
  answers = []
  vi.stubGlobal('fetch', async (url: string) => {
    requested.push(url)
    return answers.shift()?.() ?? new Response('export {}')
  })
})

const useBrowser = (userAgent: string) => vi.stubGlobal('navigator', { userAgent })

it('downloads a script again in Firefox after its download failed', async () => {
  useBrowser(FIREFOX)
  answers.push(
    () => {
      throw new TypeError('NetworkError')
    },
    () => new Response('', { status: 503 }),
  )

  await expect(downloadScripts(['/assets/a.js'])).rejects.toThrow('NetworkError')
  await expect(downloadScripts(['/assets/a.js'])).rejects.toThrow('503')
  await downloadScripts(['/assets/a.js'])

  expect(requested).toEqual(['/assets/a.js', '/assets/a.js', '/assets/a.js'])
})

it('downloads a script that several imports need once in Firefox', async () => {
  useBrowser(FIREFOX)

  await Promise.all([downloadScripts(['/assets/b.js', '/assets/c.js']), downloadScripts(['/assets/c.js'])])
  await downloadScripts(['/assets/b.js'])

  expect(requested).toEqual(['/assets/b.js', '/assets/c.js'])
})

it('leaves the download to import() in browsers that retry a failed one', async () => {
  useBrowser(CHROME)

  await downloadScripts(['/assets/d.js'])

  expect(requested).toEqual([])
})
