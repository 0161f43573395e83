import { expect, it } from 'vitest'
import { applyChange, lineKey, type CartChange, type CartLine, type NewLine } from '#domain/cart.ts'
import { CartStore, type CartKeeper } from './cart-store.ts'

const popper: NewLine = {
  productName: 'Popper',
  productVariant: 'Blue',
  withHooks: true,
  priceCents: 142_00,
  quantity: 1,
  imageUrl: null,
}

/** A keeper whose answers are given by hand. */
class SlowKeeper implements CartKeeper {
  lines: CartLine[] = []
  waiting: { settle: () => void; fail: () => void }[] = []

  load = async () => this.lines

  change = (change: CartChange) => {
    const { promise, resolve, reject } = Promise.withResolvers<CartLine[]>()
    this.waiting.push({
      settle: () => {
        this.lines = applyChange(this.lines, change, (line) => ({ ...line, id: 'row', createdAt: '' }))
        resolve(this.lines)
      },
      fail: () => reject(new Error('no answer')),
    })
    return promise
  }

  async asked(times: number): Promise<void> {
    while (this.waiting.length < times) await Promise.resolve()
  }
}

async function openStore(keeper: CartKeeper) {
  const store = new CartStore()
  await store.open(keeper)
  return store
}

const quantities = (store: CartStore) => store.snapshot().lines.map((line) => line.quantity)

// covers S16
it('shows a change before it is made', async () => {
  const keeper = new SlowKeeper()
  const store = await openStore(keeper)

  void store.change({ kind: 'add', line: popper })

  expect(quantities(store)).toEqual([1])
})

it('keeps what was added before it was known whose cart it is', async () => {
  const keeper = new SlowKeeper()
  const store = new CartStore()
  const early = store.change({ kind: 'add', line: popper })

  const opened = store.open(keeper)
  await keeper.asked(1)
  keeper.waiting[0]?.settle()
  await Promise.all([early, opened])

  expect(keeper.lines.map((line) => line.quantity)).toEqual([1])
  expect(quantities(store)).toEqual([1])
})

it('takes back what the keeper refused, and only that', async () => {
  const keeper = new SlowKeeper()
  const store = await openStore(keeper)
  const first = store.change({ kind: 'add', line: popper })
  const second = store.change({ kind: 'set-quantity', key: lineKey(popper), quantity: 7 })
  expect(quantities(store)).toEqual([7])

  await keeper.asked(1)
  keeper.waiting[0]?.settle()
  await first
  await keeper.asked(2)
  keeper.waiting[1]?.fail()

  await expect(second).rejects.toThrow('no answer')
  expect(quantities(store)).toEqual([1])
})

it('makes changes one after the other', async () => {
  const keeper = new SlowKeeper()
  const store = await openStore(keeper)
  void store.change({ kind: 'add', line: popper })
  void store.change({ kind: 'add', line: popper })

  await keeper.asked(1)

  expect(keeper.waiting).toHaveLength(1)
  expect(quantities(store)).toEqual([2])
})

it('drops what belongs to a cart that is no longer shown', async () => {
  const before = new SlowKeeper()
  const store = await openStore(before)
  const late = store.change({ kind: 'add', line: popper })
  await before.asked(1)

  const opened = store.open(new SlowKeeper())
  before.waiting[0]?.settle()
  await Promise.all([late, opened])

  expect(quantities(store)).toEqual([])
})

it('says when a cart cannot be loaded, and tries again', async () => {
  let isDown = true
  const store = new CartStore()
  const keeper: CartKeeper = {
    load: async () => {
      if (isDown) throw new Error('down')
      return []
    },
    change: async (_change, lines) => lines,
  }

  await expect(store.open(keeper)).rejects.toThrow('down')
  expect(store.snapshot().status).toBe('failed')

  isDown = false
  await store.reload()
  expect(store.snapshot().status).toBe('ready')
})

it('shows what was last seen when it does not load, and never changes that', async () => {
  const keeper = new SlowKeeper()
  keeper.lines = applyChange([], { kind: 'add', line: popper }, (line) => ({
    ...line,
    id: 'row',
    createdAt: '',
  }))
  let isDown = true
  const load = async () => {
    if (isDown) throw new Error('no answer')
    return []
  }
  const store = new CartStore()

  await expect(
    store.open({ load, change: keeper.change, lastSeen: async () => keeper.lines }),
  ).rejects.toThrow('no answer')
  expect(store.snapshot()).toMatchObject({ status: 'last-seen', lines: [{ quantity: 1 }] })

  await expect(store.change({ kind: 'clear' })).rejects.toThrow('no answer')
  expect(store.snapshot()).toMatchObject({ status: 'last-seen', lines: [{ quantity: 1 }] })

  isDown = false
  await store.reload()
  expect(store.snapshot()).toEqual({ status: 'ready', lines: [] })
})

it('hands over what was added and is not confirmed when the page goes, and begins nothing more', async () => {
  const keeper = new SlowKeeper()
  const store = await openStore(keeper)
  const begun = store.change({ kind: 'add', line: popper })
  await keeper.asked(1)
  const waiting = store.change({ kind: 'add', line: { ...popper, productVariant: 'Red' } })
  const kept: CartChange[] = []

  store.leave((change) => void kept.push(change))
  keeper.waiting[0]?.settle()
  await Promise.all([begun, waiting])

  expect(kept.map((change) => change.kind === 'add' && change.line.productVariant)).toEqual(['Blue', 'Red'])
  expect(keeper.waiting).toHaveLength(1)
})
