import { createClient } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ShopDatabase } from '#database'
import { addition, lineKey, type CartLine, type NewLine } from '#domain/cart.ts'
import { browser } from '#test/browser-backend.ts'
import { installStorage } from '#test/browser-storage.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import type { CartStorage } from './cart-context.ts'
import { changeGuestCart, OFFLINE_COPY_KEY, readGuestCart, readOfflineCopy } from './local-cart.ts'
import { RemoteCart } from './remote-cart.ts'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

let shop: TestShop
let person: Person
/** The connection of the browser: what it does with the next request. */
let send: (request: Request) => Promise<Response>
let tabs: { cart: CartStorage; close: () => void }[]
let page: EventTarget
const onLoadError = vi.fn<(error: unknown) => void>()
const onLeftOut = vi.fn<(lines: CartLine[]) => void>()

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

beforeEach(async () => {
  installStorage()
  page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('navigator', { onLine: true })
  vi.spyOn(console, 'error').mockReturnValue()
  person = await shop.signUp()
  send = (request) => shop.fetch(request)
  const { data } = await person.client.auth.getSession()
  browser.client = createClient<ShopDatabase>(shop.settings.publicUrl, shop.keys.publishable, {
    accessToken: async () => data.session?.access_token ?? '',
    global: { fetch: (input, init) => send(new Request(input, init)) },
  })
  tabs = []
  onLoadError.mockReset()
  onLeftOut.mockReset()
})
afterEach(() => {
  for (const { close } of tabs) close()
  vi.restoreAllMocks()
})

const popper: NewLine = {
  productName: 'Chisel Nose Popper 150mm/30G',
  productVariant: 'Blue Reaper 150mm',
  withHooks: true,
  priceCents: 142_00,
  quantity: 2,
  imageUrl: null,
}
const stickBait: NewLine = {
  productName: 'Slow Sinking Stick Bait (180mm/150G)',
  productVariant: 'Mahi Mahi',
  withHooks: false,
  priceCents: 400_00,
  quantity: 1,
  imageUrl: null,
}

/** Longer than the first request takes on a busy machine. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000 })

/** Opens the cart in one more tab. */
function openTab(): CartStorage {
  const cart = new RemoteCart(person.userId, { onLoadError, onLeftOut })
  tabs.push({ cart, close: cart.subscribe(() => {}) })
  return cart
}

async function openReadyTab(): Promise<CartStorage> {
  const cart = openTab()
  await eventually(() => expect(cart.snapshot().status).toBe('ready'))
  return cart
}

const add = (cart: CartStorage, line: NewLine) => cart.change(addition(line))
const chooseAsGuest = (...lines: NewLine[]) => lines.forEach((line) => changeGuestCart(addition(line)))
const shown = (cart: CartStorage) =>
  Object.fromEntries(cart.snapshot().lines.map((line) => [line.productVariant, line.quantity]))
const stored = async () => {
  const { data } = await person.client.from('cart_items').select('product_variant, quantity').throwOnError()
  return Object.fromEntries(data.map((line) => [line.product_variant, line.quantity]))
}

/** Holds requests back until the test settles them. */
function holdRequests() {
  const held: { request: Request; answer: () => void; lose: () => void }[] = []
  send = (request) =>
    new Promise((resolve, reject) =>
      held.push({
        request,
        answer: () => void shop.fetch(request).then(resolve, reject),
        lose: () => reject(new TypeError('Failed to fetch')),
      }),
    )
  return held
}

/** Opens two tabs that send the guest cart before either has an answer. */
async function mergeInTwoTabs(): Promise<void> {
  const held = holdRequests()
  const carts = [openTab(), openTab()]
  await eventually(() => expect(held).toHaveLength(2))
  send = (request) => shop.fetch(request)
  for (const { answer } of held) answer()
  await eventually(() => expect(carts.every((cart) => cart.snapshot().status === 'ready')).toBe(true))
}

const isMerge = (request: Request) => request.url.includes('merge_cart')
const loseConnection = () => vi.stubGlobal('navigator', { onLine: false })

it('says that a lure in a customer’s cart is no longer sold when it was hidden', async () => {
  const cart = await openReadyTab()
  await add(cart, popper)
  const { lines } = cart.snapshot()
  const setStatus = (status: string) =>
    shop.database.owner.query('update public.products set status = $2 where name = $1', [
      popper.productName,
      status,
    ])
  await setStatus('hidden')

  const availability = await cart.fetchAvailability(lines)

  await setStatus('live')
  expect(lines.map((line) => availability.get(lineKey(line)))).toMatchObject([{ priceCents: null }])
})

/** Gives the tabs a third of a second, or `timeout` milliseconds, to do what they must not do. */
async function expectNever(happens: () => boolean, timeout = 300): Promise<void> {
  const waiting = vi.waitFor(() => expect(happens()).toBe(true), { timeout })
  await expect(waiting).rejects.toThrow('expected false to be true')
}

/** Opens the cart with a guest line that the shop has merged without answering. */
async function openUnansweredTab(): Promise<CartStorage> {
  chooseAsGuest(popper)
  send = async (request) => {
    const response = await shop.fetch(request)
    if (isMerge(request)) throw new TypeError('Failed to fetch')
    return response
  }
  const cart = await openReadyTab()
  send = (request) => shop.fetch(request)
  expect(shown(cart)).toEqual({ 'Blue Reaper 150mm': 2 })
  return cart
}

describe('a customer’s cart', () => {
  // covers S16
  it('shows a cart change before the server has stored the change', async () => {
    const cart = await openReadyTab()
    const held = holdRequests()

    const added = add(cart, popper)

    expect(shown(cart)).toEqual({ 'Blue Reaper 150mm': 2 })
    await eventually(() => expect(held).toHaveLength(1))
    held[0]?.answer()
    await added
    expect(await stored()).toEqual({ 'Blue Reaper 150mm': 2 })
  })

  it('changes, removes and clears lines on the server', async () => {
    const cart = await openReadyTab()
    await add(cart, popper)
    await add(cart, stickBait)

    await cart.change({ kind: 'set-quantity', line: popper, quantity: 7 })
    expect(await stored()).toEqual({ 'Blue Reaper 150mm': 7, 'Mahi Mahi': 1 })
    await cart.change({ kind: 'remove', line: stickBait })
    expect(await stored()).toEqual({ 'Blue Reaper 150mm': 7 })
    expect(shown(cart)).toEqual({ 'Blue Reaper 150mm': 7 })
    await cart.change({ kind: 'clear' })
    expect(await stored()).toEqual({})
    expect(cart.snapshot()).toEqual({ status: 'ready', lines: [] })
  })

  it('sends cart changes to the server one at a time and rolls back only the one that failed', async () => {
    const cart = await openReadyTab()
    const held = holdRequests()
    const first = add(cart, popper)
    const second = cart.change({ kind: 'set-quantity', line: popper, quantity: 7 })
    expect(shown(cart)).toEqual({ 'Blue Reaper 150mm': 7 })

    await eventually(() => expect(held).toHaveLength(1))
    held[0]?.answer()
    await first
    await eventually(() => expect(held).toHaveLength(2))
    loseConnection()
    held[1]?.lose()

    await expect(second).rejects.toThrow('We couldn’t reach the shop')
    expect(shown(cart)).toEqual({ 'Blue Reaper 150mm': 2 })
  })

  it('sends a change again when its response does not arrive', async () => {
    const cart = await openReadyTab()
    const held = holdRequests()
    const added = add(cart, popper)
    await eventually(() => expect(held).toHaveLength(1))

    await shop.fetch(held[0]!.request.clone())
    held[0]?.lose()
    await eventually(() => expect(held).toHaveLength(2))
    held[1]?.answer()
    await added

    expect(shown(cart)).toEqual({ 'Blue Reaper 150mm': 2 })
    expect(await stored()).toEqual({ 'Blue Reaper 150mm': 2 })
  })

  it('rejects the addition of a line that is not for sale', async () => {
    const cart = await openReadyTab()

    await expect(add(cart, { ...popper, productVariant: 'No such colour' })).rejects.toThrow('not for sale')

    expect(shown(cart)).toEqual({})
  })

  it('reports a cart that fails to load, and loads the cart again on request', async () => {
    const answering = send
    send = () => Promise.reject(new TypeError('Failed to fetch'))
    const cart = openTab()
    await eventually(() => expect(cart.snapshot().status).toBe('failed'))
    expect(onLoadError).toHaveBeenCalledOnce()

    send = answering
    await cart.reload()
    expect(cart.snapshot().status).toBe('ready')
  })

  it('shows a read-only offline copy when the cart does not load, until it loads', async () => {
    await add(await openReadyTab(), popper)
    const answering = send
    send = () => Promise.reject(new TypeError('Failed to fetch'))
    const cart = openTab()
    await eventually(() => expect(cart.snapshot().status).toBe('offline'))

    loseConnection()
    await expect(cart.change({ kind: 'clear' })).rejects.toThrow('We couldn’t reach the shop')
    expect(shown(cart)).toEqual({ 'Blue Reaper 150mm': 2 })

    send = answering
    vi.stubGlobal('navigator', { onLine: true })
    page.dispatchEvent(new Event('online'))
    await eventually(() => expect(cart.snapshot().status).toBe('ready'))
  })

  it('ignores a late response for a cart that is no longer open', async () => {
    await add(await openReadyTab(), popper)
    localStorage.removeItem(OFFLINE_COPY_KEY)
    const held = holdRequests()
    const cart = openTab()
    await eventually(() => expect(held).toHaveLength(1))

    tabs.pop()?.close()
    held[0]?.answer()

    await expectNever(() => readOfflineCopy(person.userId).length > 0)
    expect(cart.snapshot().status).toBe('loading')
  })

  it('reports the change of a line that another device has removed, and shows the cart without it', async () => {
    const cart = await openReadyTab()
    await add(cart, popper)
    await person.client.from('cart_items').delete().eq('user_id', person.userId).throwOnError()

    await expect(cart.change({ kind: 'set-quantity', line: popper, quantity: 3 })).rejects.toThrow(
      'no longer in the cart',
    )
    expect(shown(cart)).toEqual({})
    await add(cart, popper)
    await person.client.from('cart_items').delete().eq('user_id', person.userId).throwOnError()
    await cart.change({ kind: 'remove', line: popper })
    expect(shown(cart)).toEqual({})
  })

  it('changes and removes a line that another device has removed and added again', async () => {
    const cart = await openReadyTab()
    await add(cart, popper)
    const otherDevice = new RemoteCart(person.userId, { onLoadError, onLeftOut })
    const addAgain = async () => {
      await otherDevice.change({ kind: 'clear' })
      await add(otherDevice, popper)
    }

    await addAgain()
    await cart.change({ kind: 'set-quantity', line: popper, quantity: 3 })
    expect([shown(cart), await stored()]).toEqual([{ 'Blue Reaper 150mm': 3 }, { 'Blue Reaper 150mm': 3 }])
    await addAgain()
    await cart.change({ kind: 'remove', line: popper })
    expect([shown(cart), await stored()]).toEqual([{}, {}])
  })

  it('loads the cart again when another tab has changed it', async () => {
    const [one, other] = [await openReadyTab(), await openReadyTab()]

    await add(one, popper)

    await eventually(() => expect(shown(other)).toEqual({ 'Blue Reaper 150mm': 2 }))
  })

  // covers S23
  it.each(['arrives', 'is lost'])(
    'adds each line once when the page goes and the request in flight %s',
    async (outcome) => {
      const answering = send
      const cart = await openReadyTab()
      const held = holdRequests()
      void add(cart, popper).catch(() => undefined)
      void add(cart, { ...popper, quantity: 1 })
      void add(cart, stickBait)
      await eventually(() => expect(held).toHaveLength(1))

      page.dispatchEvent(new Event('pagehide'))
      if (outcome === 'arrives') await shop.fetch(held[0]!.request.clone())
      held[0]?.lose()
      send = answering

      expect(shown(await openReadyTab())).toEqual({ 'Blue Reaper 150mm': 3, 'Mahi Mahi': 1 })
      expect(held).toHaveLength(1)
      expect(readGuestCart()).toEqual([])
    },
  )

  // covers S23
  it('adds a line whose request the browser ends before it hides the page', async () => {
    const answering = send
    const cart = await openReadyTab()
    const held = holdRequests()
    const failed = vi.fn<() => void>()
    add(cart, popper).catch(failed)
    await eventually(() => expect(held).toHaveLength(1))

    held[0]?.lose()
    await expectNever(() => failed.mock.calls.length > 0)
    page.dispatchEvent(new Event('pagehide'))
    // The page that went would repeat its request after a second.
    await expectNever(() => held.length > 1, 1200)
    send = answering

    expect(shown(await openReadyTab())).toEqual({ 'Blue Reaper 150mm': 2 })
  })
})

describe('merging a guest cart', () => {
  // covers S4.7
  it('moves every guest line to the account’s cart, newest first, and empties the guest cart', async () => {
    chooseAsGuest(popper, stickBait)

    const cart = await openReadyTab()

    expect(Object.entries(shown(cart))).toEqual([
      ['Mahi Mahi', 1],
      ['Blue Reaper 150mm', 2],
    ])
    expect(await stored()).toEqual(shown(cart))
    expect(readGuestCart()).toEqual([])
  })

  it('adds a guest line’s quantity to the same line of the account’s cart', async () => {
    await add(await openReadyTab(), { ...popper, quantity: 3 })
    chooseAsGuest(popper)

    expect(shown(await openReadyTab())).toEqual({ 'Blue Reaper 150mm': 5 })
  })

  it('merges a guest cart line at the current price', async () => {
    chooseAsGuest({ ...popper, priceCents: 99_00 })

    expect((await openReadyTab()).snapshot().lines[0]?.priceCents).toBe(142_00)
  })

  it('merges all lines but those that are not for sale, tells which these are and keeps them nowhere', async () => {
    chooseAsGuest({ ...stickBait, productVariant: 'No such colour' }, popper)

    expect(shown(await openReadyTab())).toEqual({ 'Blue Reaper 150mm': 2 })
    expect(onLeftOut.mock.calls).toMatchObject([[[{ productVariant: 'No such colour' }]]])
    expect(readGuestCart()).toEqual([])
  })

  it('tells once about a line that is not for sale when two tabs merge it', async () => {
    chooseAsGuest({ ...stickBait, productVariant: 'No such colour' })
    await mergeInTwoTabs()

    expect(onLeftOut).toHaveBeenCalledOnce()
  })

  it('merges a guest line whose colour was renamed, and takes it out of the guest cart', async () => {
    const { rows } = await shop.database.owner.query(
      `select v.id as "variantId", v.product_id as "productId" from public.product_variants v
       join public.products p on p.id = v.product_id where p.name = $1 and v.name = $2`,
      [popper.productName, popper.productVariant],
    )
    chooseAsGuest({ ...popper, ...rows[0], productVariant: 'Its former name' })

    expect(shown(await openReadyTab())).toEqual({ 'Blue Reaper 150mm': 2 })
    expect(readGuestCart()).toEqual([])
    expect(onLeftOut).not.toHaveBeenCalled()
  })

  it('does not make two tabs load for ever when a guest line is not for sale', async () => {
    chooseAsGuest({ ...stickBait, productVariant: 'No such colour' })
    let requests = 0
    send = (request) => {
      requests += 1
      return shop.fetch(request)
    }
    await Promise.all([openReadyTab(), openReadyTab()])
    const before = requests

    // A tab that took the line out makes the other one load once.
    await expectNever(() => requests > before + 2)
  })

  it('keeps a line that grows while it is merged, and adds the difference later', async () => {
    chooseAsGuest(popper)
    const answering = send
    const held = holdRequests()
    const cart = openTab()
    await eventually(() => expect(held).toHaveLength(1))
    chooseAsGuest({ ...popper, quantity: 1 })
    held[0]?.answer()
    await eventually(() => expect(cart.snapshot().status).toBe('ready'))
    send = answering

    await cart.reload()

    expect(shown(cart)).toEqual({ 'Blue Reaper 150mm': 3 })
    expect(readGuestCart()).toEqual([])
  })

  // covers S4.8 S8.3 S23
  it.each([
    ['request', 1],
    ['response', 1],
    ['request', 2],
    ['response', 2],
  ])('merges the same quantities when the %s of call %i is lost', async (lost, failingCall) => {
    await add(await openReadyTab(), { ...popper, quantity: 3 })
    chooseAsGuest(popper, stickBait)
    let calls = 0
    send = async (request) => {
      calls += 1
      if (calls !== failingCall) return shop.fetch(request)
      if (lost === 'response') await shop.fetch(request)
      throw new TypeError('Failed to fetch')
    }

    const cart = openTab()
    await eventually(() => expect(cart.snapshot().status).not.toBe('loading'))
    await cart.reload()

    expect(shown(cart)).toEqual({ 'Blue Reaper 150mm': 5, 'Mahi Mahi': 1 })
    expect(await stored()).toEqual(shown(cart))
    expect(readGuestCart()).toEqual([])
  })

  it.each(['remove', 'clear'] as const)(
    'does not bring back a line that the customer takes out by “%s” after the response of the merge was lost',
    async (kind) => {
      const cart = await openUnansweredTab()

      await cart.change({ kind, line: popper })
      await cart.reload()

      expect(shown(cart)).toEqual({})
      expect(await stored()).toEqual({})
    },
  )

  it('counts a guest line once that the customer adds again after the response of the merge was lost', async () => {
    const cart = await openUnansweredTab()

    await add(cart, { ...popper, quantity: 1 })
    await cart.reload()

    expect(shown(cart)).toEqual({ 'Blue Reaper 150mm': 3 })
    expect(await stored()).toEqual({ 'Blue Reaper 150mm': 3 })
  })

  it('changes no line while a guest line that the shop may have merged cannot be settled', async () => {
    const cart = await openUnansweredTab()
    send = (request) =>
      isMerge(request) ? Promise.reject(new TypeError('Failed to fetch')) : shop.fetch(request)
    const removal = cart.change({ kind: 'remove', line: popper })
    loseConnection()

    await expect(removal).rejects.toThrow('We couldn’t reach the shop')

    expect(await stored()).toEqual({ 'Blue Reaper 150mm': 2 })
  })

  it('removes a line although the shop refuses to merge the guest cart', async () => {
    const cart = await openUnansweredTab()
    send = async (request) =>
      isMerge(request)
        ? Response.json({ code: 'XX000', message: 'refused' }, { status: 400 })
        : shop.fetch(request)

    await cart.change({ kind: 'remove', line: popper })

    expect(await stored()).toEqual({})
  })

  // covers S23
  it('counts each line once when two tabs merge the same guest cart at the same moment', async () => {
    await add(await openReadyTab(), { ...popper, quantity: 3 })
    chooseAsGuest(popper, stickBait)
    await mergeInTwoTabs()

    expect(await stored()).toEqual({ 'Blue Reaper 150mm': 5, 'Mahi Mahi': 1 })
    expect(readGuestCart()).toEqual([])
  })
})
