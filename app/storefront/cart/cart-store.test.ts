import { expect, it } from 'vitest'
import { applyChange, lineKey, type CartChange, type CartLine, type NewLine } from '#domain/cart.ts'
import { CartStore, type CartStorage } from './cart-store.ts'

const popper: NewLine = {
  productName: 'Popper',
  productVariant: 'Blue',
  withHooks: true,
  priceCents: 142_00,
  quantity: 1,
  imageUrl: null,
}

/** A storage whose changes the test settles. */
class SlowStorage implements CartStorage {
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
      fail: () => reject(new Error('no response')),
    })
    return promise
  }

  async receivedChanges(count: number): Promise<void> {
    while (this.waiting.length < count) await Promise.resolve()
  }
}

async function openStore(storage: CartStorage) {
  const store = new CartStore()
  await store.open(storage)
  return store
}

const quantities = (store: CartStore) => store.snapshot().lines.map((line) => line.quantity)

// covers S16
it('shows a cart change before the server has stored the change', async () => {
  const storage = new SlowStorage()
  const store = await openStore(storage)

  void store.change({ kind: 'add', line: popper })

  expect(quantities(store)).toEqual([1])
})

it('stores a cart line that was added before the session loaded', async () => {
  const storage = new SlowStorage()
  const store = new CartStore()
  const early = store.change({ kind: 'add', line: popper })

  const opened = store.open(storage)
  await storage.receivedChanges(1)
  storage.waiting[0]?.settle()
  await Promise.all([early, opened])

  expect(storage.lines.map((line) => line.quantity)).toEqual([1])
  expect(quantities(store)).toEqual([1])
})

it('rolls back only the cart change that failed', async () => {
  const storage = new SlowStorage()
  const store = await openStore(storage)
  const first = store.change({ kind: 'add', line: popper })
  const second = store.change({ kind: 'set-quantity', key: lineKey(popper), quantity: 7 })
  expect(quantities(store)).toEqual([7])

  await storage.receivedChanges(1)
  storage.waiting[0]?.settle()
  await first
  await storage.receivedChanges(2)
  storage.waiting[1]?.fail()

  await expect(second).rejects.toThrow('no response')
  expect(quantities(store)).toEqual([1])
})

it('sends cart changes to the server one at a time', async () => {
  const storage = new SlowStorage()
  const store = await openStore(storage)
  void store.change({ kind: 'add', line: popper })
  void store.change({ kind: 'add', line: popper })

  await storage.receivedChanges(1)

  expect(storage.waiting).toHaveLength(1)
  expect(quantities(store)).toEqual([2])
})

it('ignores a late response for a cart that is no longer open', async () => {
  const before = new SlowStorage()
  const store = await openStore(before)
  const late = store.change({ kind: 'add', line: popper })
  await before.receivedChanges(1)

  const opened = store.open(new SlowStorage())
  before.waiting[0]?.settle()
  await Promise.all([late, opened])

  expect(quantities(store)).toEqual([])
})

it('reports a cart that fails to load, and loads the cart again on request', async () => {
  let isDown = true
  const store = new CartStore()
  const storage: CartStorage = {
    load: async () => {
      if (isDown) throw new Error('down')
      return []
    },
    change: async (_change, lines) => lines,
  }

  await expect(store.open(storage)).rejects.toThrow('down')
  expect(store.snapshot().status).toBe('failed')

  isDown = false
  await store.reload()
  expect(store.snapshot().status).toBe('ready')
})

it('shows a read-only offline copy when the cart does not load', async () => {
  const storage = new SlowStorage()
  storage.lines = applyChange([], { kind: 'add', line: popper }, (line) => ({
    ...line,
    id: 'row',
    createdAt: '',
  }))
  let isDown = true
  const load = async () => {
    if (isDown) throw new Error('no response')
    return []
  }
  const store = new CartStore()

  await expect(
    store.open({ load, change: storage.change, loadOfflineCopy: async () => storage.lines }),
  ).rejects.toThrow('no response')
  expect(store.snapshot()).toMatchObject({ status: 'offline', lines: [{ quantity: 1 }] })

  await expect(store.change({ kind: 'clear' })).rejects.toThrow('no response')
  expect(store.snapshot()).toMatchObject({ status: 'offline', lines: [{ quantity: 1 }] })

  isDown = false
  await store.reload()
  expect(store.snapshot()).toEqual({ status: 'ready', lines: [] })
})

it('stores unconfirmed cart additions on unload and sends no more requests', async () => {
  const storage = new SlowStorage()
  const store = await openStore(storage)
  const begun = store.change({ kind: 'add', line: popper })
  await storage.receivedChanges(1)
  const waiting = store.change({ kind: 'add', line: { ...popper, productVariant: 'Red' } })
  const saved: CartChange[] = []

  store.handOverAdditions((change) => void saved.push(change))
  storage.waiting[0]?.settle()
  await Promise.all([begun, waiting])

  expect(saved.map((change) => change.kind === 'add' && change.line.productVariant)).toEqual(['Blue', 'Red'])
  expect(storage.waiting).toHaveLength(1)
})
