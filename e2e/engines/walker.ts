import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunningShop } from '#test/running-shop.ts'
import { coveredControlsInPage, toastBox, type ToastBox } from './covered.ts'
import { type Engine, ESCAPE, SELECT_ALL } from './engine.ts'
import { findInPage, type Found, type TargetElement, type SerializedTarget } from './in-page.ts'

const PATIENCE_MS = 20_000
const LOOK_EVERY_MS = 100

/** A person at an engine's window. Every wait has a timeout, whose error names the missing target. */
export class Walker {
  readonly engine: Engine
  readonly shop: RunningShop
  readonly #shots: string

  constructor(engine: Engine, { shop, shots }: { shop: RunningShop; shots: string }) {
    this.engine = engine
    this.shop = shop
    this.#shots = shots
  }

  async open(path: string): Promise<void> {
    await this.engine.navigate(this.shop.url + path)
    await this.waitForHydration()
  }

  /** Waits until the page is hydrated. */
  async waitForHydration(): Promise<void> {
    await this.until('the page is hydrated', () => this.evaluate<boolean>("!('replayEarlyTaps' in window)"))
  }

  async evaluate<Value>(expression: string): Promise<Value> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The caller knows its own expression.
    return (await this.engine.evaluate(expression)) as Value
  }

  /** Runs a self-contained function in the page. */
  async call<Args extends unknown[], Value>(
    work: (...args: Args) => Value,
    ...args: Args
  ): Promise<Awaited<Value>> {
    const list = args.map((arg) => JSON.stringify(arg) ?? 'undefined').join()
    return this.evaluate<Awaited<Value>>(`(${work.toString()})(${list})`)
  }

  async until<Value>(what: string, look: () => Promise<Value | null | undefined | false>): Promise<Value> {
    const end = Date.now() + PATIENCE_MS
    let why = ''
    while (Date.now() < end) {
      try {
        const value = await look()
        if (value) return value
      } catch (error) {
        // A page that is being replaced does not respond.
        why = error instanceof Error ? `: ${error.message}` : ''
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
    throw new Error(`waited ${PATIENCE_MS / 1000} s in vain until ${what}${why}`)
  }

  /** The target's rectangle in the window, or `null` if it is not shown. */
  find(target: TargetElement, { scrolls = false } = {}): Promise<Found | null> {
    return this.call(findInPage, serializeTarget(target), scrolls)
  }

  see(target: TargetElement): Promise<Found> {
    return this.until(`${describe(target)} is shown`, () => this.find(target))
  }

  async gone(target: TargetElement): Promise<void> {
    await this.until(`${describe(target)} is gone`, async () => !(await this.find(target)))
  }

  /** Presses the centre of the target once it is uncovered and does not move, and the fonts that could move it are there. */
  async press(target: TargetElement): Promise<void> {
    let before = ''
    let coveredBy: string | null = null
    const found = await this.until(`${describe(target)} can be pressed`, async () => {
      const now = await this.find(target, { scrolls: true })
      if (!(await this.evaluate<boolean>("document.fonts.status === 'loaded'"))) return null
      const isResting = JSON.stringify(now) === before
      before = JSON.stringify(now)
      if (now?.coveredBy) coveredBy = now.coveredBy
      return now?.isEnabled && isResting && !now.coveredBy ? now : null
    }).catch((error: Error) => {
      throw coveredBy ? new Error(`${error.message}; covered by ${coveredBy}`) : error
    })
    await this.engine.clickAt((found.left + found.right) / 2, (found.top + found.bottom) / 2)
  }

  /** Replaces a field's text. */
  async type(name: string | RegExp, text: string): Promise<void> {
    await this.press({ role: 'field', name })
    await this.engine.typeKeys(SELECT_ALL + text)
  }

  pressEscape(): Promise<void> {
    return this.engine.typeKeys(ESCAPE)
  }

  async isAt(path: RegExp): Promise<void> {
    await this.until(`the address matches ${path}`, async () =>
      path.test(await this.evaluate<string>('location.pathname + location.search')),
    )
  }

  /** Expects toasts that cover no control, are inside the window and are no taller than their text. */
  async checkToasts(): Promise<void> {
    let box: ToastBox | null = null
    let covered: string[] = []
    await this.until('the toasts cover nothing', async () => {
      const now = await this.call(toastBox)
      box = now ?? box
      covered = await this.call(coveredControlsInPage)
      return now && now.isInside && now.height < 260 && covered.length === 0
    }).catch((error: Error) => {
      throw new Error(`${error.message}: toasts ${JSON.stringify(box)}, covered: ${covered.join(', ')}`)
    })
  }

  /** Saves a screenshot, or logs why there is none: no walk fails without one. */
  async screenshot(name: string): Promise<void> {
    await this.picture(name).catch((error: Error) => {
      console.log(`    no picture of “${name}”: ${error.message}`)
    })
  }

  /** Saves a screenshot and returns it as PNG. WebKit's driver does not respond to a second one of an unchanged window. */
  async picture(name: string): Promise<Buffer> {
    await this.until('the pictures are loaded', () => this.call(arePicturesLoaded)).catch(() => undefined)
    const picture = await this.engine.screenshot()
    await mkdir(this.#shots, { recursive: true })
    await writeFile(join(this.#shots, `${this.engine.name}-${name}.png`), picture)
    return picture
  }
}

/** Runs in the page; self-contained. */
function arePicturesLoaded(): boolean {
  return [...document.images].every((image) => {
    const { top, bottom, width } = image.getBoundingClientRect()
    return image.complete || width === 0 || bottom < 0 || top > innerHeight
  })
}

function serializeTarget({ role, name }: TargetElement): SerializedTarget {
  if (typeof name !== 'string') return { role, source: name.source, flags: name.flags }
  return { role, source: `^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`, flags: '' }
}

function describe({ role, name }: TargetElement): string {
  return `${role} “${String(name)}”`
}
