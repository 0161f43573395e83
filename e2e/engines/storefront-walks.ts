import { button, greeted, signUp, text } from './steps.ts'
import type { Walker } from './walker.ts'

export async function answersTheQuestion(walker: Walker): Promise<void> {
  for (const [width, height] of [
    [1440, 900],
    [768, 1000],
    [390, 844],
  ] as const) {
    await walker.engine.resize(width, height)
    await walker.open('/faq')
    await walker.evaluate('localStorage.clear()')
    await walker.open('/products')
    const before = await walker.evaluate<number>(`document.querySelector('main').getBoundingClientRect().top`)
    const question = await walker.see({ role: 'region', name: 'Cookies?' })
    await walker.see(button('Accept'))
    const after = await walker.evaluate<number>(`document.querySelector('main').getBoundingClientRect().top`)
    if (before !== after) throw new Error(`the page moved by ${after - before} px when the question appeared`)
    if (question.top < 0 || question.bottom > after) throw new Error('the question lies over the page')
    await walker.screenshot(`${width}-question`)
  }
  await walker.press(button('Decline'))
  await walker.gone({ role: 'region', name: 'Cookies?' })
}

export async function closesDialogs(walker: Walker): Promise<void> {
  await walker.engine.resize(390, 844)
  await walker.open('/faq')
  await greeted(walker)
  await walker.open('/faq')
  for (const [opener, dialog] of [
    [/^Cart/, /Shopping Cart/],
    ['Search', 'Search'],
    ['Menu', 'Menu'],
  ] as const) {
    await walker.press(button(opener))
    const { left, right } = await walker.see({ role: 'dialog', name: dialog })
    await walker
      .until(`${String(dialog)} rests inside the window`, async () => {
        const box = await walker.find({ role: 'dialog', name: dialog })
        return box && box.left >= 0 && box.right <= (await walker.evaluate<number>('innerWidth'))
      })
      .catch(() => {
        throw new Error(`the dialog stands from ${left} to ${right} px`)
      })
    const grown = await walker.call(closeAndMeasure)
    if (grown) throw new Error(`the page grew by ${grown} px while “${String(dialog)}” closed`)
    await walker.open('/faq')
  }
}

/** Runs in the page; self-contained. Returns how much taller the document is in the frames after its dialog closes. */
async function closeAndMeasure(): Promise<number> {
  const before = document.documentElement.scrollHeight
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close()
  let most = 0
  for (let frame = 0; frame < 6; frame += 1) {
    most = Math.max(most, document.documentElement.scrollHeight - before)
    await new Promise((next) => requestAnimationFrame(next))
  }
  return most
}

export async function opensTheMenu(walker: Walker): Promise<void> {
  await walker.engine.resize(1440, 900)
  await walker.open('/auth')
  await signUp(walker)
  await walker.isAt(/^\/$/)
  await walker.see(button('My Account'))
  await walker.open('/faq')
  for (const top of [0, 900]) {
    await walker.evaluate(`scrollTo({ top: ${top}, behavior: 'instant' })`)
    // `press` scrolls, but the header is always visible.
    const account = await walker.see(button('My Account'))
    await walker.engine.clickAt((account.left + account.right) / 2, (account.top + account.bottom) / 2)
    const menu = await walker.until('the menu is open', () =>
      walker.evaluate<{ top: number; right: number } | null>(
        `(() => { const menu = document.querySelector('header [popover]:popover-open'); return menu && menu.getBoundingClientRect().toJSON() })()`,
      ),
    )
    await walker.screenshot(`1440-menu-at-${top}`)
    const gap = menu.top - account.bottom
    if (gap < 0 || gap > 16)
      throw new Error(`scrolled to ${top} px, the menu opens ${gap} px below its button`)
    await walker.pressEscape()
  }
}

export async function sendsAMessage(walker: Walker): Promise<void> {
  await walker.engine.resize(390, 844)
  await walker.open('/contact')
  await greeted(walker)
  await walker.open('/contact')
  await walker.type('Name', 'Thandi Mokoena')
  await walker.type('E-mail', 'thandi@example.com')
  await walker.type('Subject', 'Colours')
  await walker.type('Message', 'Which colour works in murky water?')
  await walker.press(button('Send Message'))
  await walker.see(text("Thank you! We'll get back to you soon."))
  await walker.checkToasts()
  await walker.screenshot('390-contact-sent')
}

export async function sendsForms(walker: Walker): Promise<void> {
  for (const width of [390, 1440]) {
    await walker.engine.resize(width, 844)
    await walker.open('/contact')
    await walker.type('Message', 'short')
    await walker.press(button('Send Message'))
    await walker.see(text(/Name must be at least 2 characters/))
    await walker.checkToasts()
    await walker.screenshot(`${width}-contact-errors`)
  }
}

export async function readsTheOfflineList(walker: Walker): Promise<void> {
  await walker.engine.resize(1440, 900)
  await walker.open('/')
  const kept = await walker.until('the worker has kept the catalogue', () => walker.call(cachedPages))
  const others = kept.filter((path) => /\.\w+$/.test(path) && !path.endsWith('.data'))
  if (others.length > 0) throw new Error(`kept as pages: ${others.join(', ')}`)
}

/** Runs in the page; self-contained. Returns the paths in the page cache after the worker and the home page's film have loaded. */
async function cachedPages(): Promise<string[] | null> {
  if (!navigator.serviceWorker?.controller) return null
  const name = (await caches.keys()).find((key) => key.startsWith('shop pages'))
  if (!name) return null
  const paths = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)
  const film = document.querySelector('video')
  // An engine without the film's codec reports no error.
  const isRefused = film?.networkState === HTMLMediaElement.NETWORK_NO_SOURCE
  const isFilmLoaded = !film || film.readyState >= 2 || Boolean(film.error) || isRefused
  return isFilmLoaded && paths.includes('/products') ? paths : null
}
