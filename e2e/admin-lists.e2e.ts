import type { Locator, Page, Route } from '@playwright/test'
import { todayInSouthAfrica } from '#domain/today.ts'
import { afterTwoFrames } from './fixtures/frames.ts'
import { holdAnswer } from './fixtures/hold-answer.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { aLure } from './fixtures/lure.ts'
import { anOrder, aPaidOrder } from './fixtures/order-over-api.ts'
import { queryDatabase } from './fixtures/shop-database.ts'

const ORDERS = '**/rest/v1/orders*'
const SETTINGS = '**/rest/v1/list_settings*'
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

const row = (page: Page, number: string): Locator => page.getByRole('row').filter({ hasText: number })

const settingsSaved = (page: Page) =>
  page.waitForResponse(
    (response) => response.url().includes('list_settings') && response.request().method() !== 'GET',
  )

test('an admin searches, filters, sorts and bulk-edits a list, and saves a view', async ({
  adminPage: page,
  shop,
  staff,
}) => {
  const [waiting, fresh, made, unpaid] = await Promise.all([
    aPaidOrder(shop),
    aPaidOrder(shop),
    aPaidOrder(shop),
    anOrder(shop),
  ])
  const newest = await aPaidOrder(shop)
  await queryDatabase(
    shop,
    `update public.orders set shipping_method = 'locker', locker_location = 'Durban North' where id = any ($1)`,
    [[waiting.id, fresh.id]],
  )
  const { data: courier } = await staff.from('courier_companies').select('id').eq('name', 'Pudo').single()
  const parcel = {
    status: 'shipped' as const,
    tracking_number: 'PUDO-1',
    courier_company_id: courier?.id ?? null,
  }
  const shipped = await staff.from('orders').update(parcel).in('id', [waiting.id, fresh.id])
  expect(shipped.error).toBeNull()
  await queryDatabase(
    shop,
    `update public.order_events set created_at = created_at - interval '6 days' where order_id = $1`,
    [waiting.id],
  )
  await page.goto('/admin/orders')
  const all = page.getByRole('link', { name: /^All/ })

  // covers A1 A5
  await test.step('a list keeps search, filters and sort in the URL, and Back restores the scroll position', async () => {
    await page.getByRole('searchbox', { name: 'Search orders' }).fill(newest.number)
    await expect(page).toHaveURL(/search=/)
    await page.getByLabel('Status', { exact: true }).selectOption('New')
    await expect(page).toHaveURL(/search=.+&status=new/)
    const asked = page.url()
    await row(page, newest.number).getByRole('link', { name: newest.number, exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Order Details' })).toBeVisible()
    await page.goBack()

    expect(page.url()).toBe(asked)
    await expect(row(page, newest.number)).toHaveCount(1)
    await page.getByRole('link', { name: 'Remove the filter Status: New' }).click()
    await expect(page).not.toHaveURL(/status/)
    await page.getByLabel('Status', { exact: true }).selectOption('Delivered')
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
    await page.getByRole('link', { name: 'Show all orders' }).click()
    await expect(page).toHaveURL(/\/admin\/orders$/)
  })

  // covers A5
  await test.step('Ctrl+click opens a list’s row in a new tab', async () => {
    const opened = page.context().waitForEvent('page')
    const paid = row(page, newest.number).getByText('Paid', { exact: true })
    // As Firefox does with the cell; a click that ends a selection opens nothing.
    await paid.evaluate((text) =>
      text.addEventListener('mouseup', () => getSelection()?.selectAllChildren(text), { once: true }),
    )
    await paid.click({ modifiers: ['ControlOrMeta'] })
    const tab = await opened
    await tab.waitForURL(`/admin/orders/${newest.id}`, { waitUntil: 'commit' })
    await tab.close()
    await expect(page).toHaveURL(/\/admin\/orders$/)
  })

  // covers A4
  await test.step('a bulk change updates many orders and lists skipped orders with reasons', async () => {
    await page.getByRole('checkbox', { name: `Select order ${made.number}` }).check()
    await page.getByRole('checkbox', { name: `Select order ${unpaid.number}` }).check()
    await page.getByRole('checkbox', { name: `Select order ${fresh.number}` }).check()
    const selection = page.getByRole('region', { name: 'Selection' })
    await expect(selection).toContainText('3 selected')
    // The page has no time left to hear of it.
    const deliverFresh = async (route: Route) => {
      await staff.from('orders').update({ status: 'delivered' }).eq('id', fresh.id)
      await route.fallback()
    }
    await intercept(page, '**/rpc/set_order_statuses', deliverFresh, { times: 1 })
    await selection.getByLabel('Set the status of the selected orders').selectOption('Processing')

    const outcome = page.getByRole('dialog', { name: '1 done, 2 skipped' })
    await expect(outcome).toContainText(`${unpaid.number} This order is not paid yet.`)
    await expect(outcome).toContainText(`${fresh.number} Someone has changed it in the meantime.`)
    await outcome.getByRole('button', { name: 'Close', exact: true }).last().click()
    await expect(row(page, made.number).getByRole('combobox')).toHaveValue('processing')
    await expect(selection).toHaveCount(0)
  })

  // covers A1
  await test.step('a column header sorts a list in both directions', async () => {
    const head = page.getByRole('columnheader', { name: 'Amount' })
    await head.getByRole('link').click()
    await expect(page).toHaveURL(/sort=total_amount/)
    await expect(head).toHaveAttribute('aria-sort', 'ascending')
    await head.getByRole('link').click()
    await expect(page).toHaveURL(/sort=-total_amount/)
  })

  // covers A3
  await test.step('a saved view lists parcels that have been in lockers for days', async () => {
    await page.getByRole('link', { name: /^Locker not collected/ }).click()
    await expect(row(page, waiting.number)).toBeVisible()
    await expect(row(page, fresh.number)).toHaveCount(0)
  })

  // covers A3
  await test.step('an admin saves a view by name and hides columns on every device', async () => {
    await page.goto('/admin/orders?province=KwaZulu-Natal&delivery=locker')
    const views = page.getByRole('navigation', { name: 'Views of orders' })
    const own = views.getByRole('link', { name: /Lockers up the coast/ })
    await views.getByRole('button', { name: 'Save this view' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save this view' })
    await dialog.getByLabel('Name').fill('Lockers up the coast')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(own).toHaveAttribute('aria-current', 'true')

    await all.click()
    await page.getByRole('button', { name: 'Columns and density' }).click()
    const settings = page.getByRole('dialog', { name: 'Columns and density' })
    const saved = settingsSaved(page)
    await settings.getByLabel('Tracking').click()
    await saved
    await page.reload()

    await expect(page.getByRole('columnheader', { name: 'Date' })).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Tracking' })).toHaveCount(0)
    await own.click()
    await expect(page).toHaveURL(/province=KwaZulu-Natal&delivery=locker/)
    await views.getByRole('button', { name: 'Delete the view Lockers up the coast' }).click()
    await expect(own).toHaveCount(0)
    await all.click()
    await page.getByRole('button', { name: 'Columns and density' }).click()
    const restored = settingsSaved(page)
    await settings.getByLabel('Tracking').click()
    await expect(page.getByRole('columnheader', { name: 'Tracking' })).toHaveCount(1)
    await restored
    await page.keyboard.press('Escape')
    await expect(settings).toHaveCount(0)
  })

  // covers A35
  await test.step('a phone shows four orders at once with the next step, and a tap shows the details', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const cards = page.getByRole('row').filter({ has: page.getByRole('link', { name: /^#/ }) })
    // Until the page notices its new width, the table's own cells are shown below each other.
    await expect(cards.first().locator('td[data-label=Summary]')).toBeVisible()
    await expect(cards.first()).toContainText(newest.number)
    await expect(cards.first()).toContainText('Thandi Mokoena')
    await expect(cards.first()).toContainText('R600.00')

    const [first, fourth, bar] = await Promise.all([
      cards.first().boundingBox(),
      cards.nth(3).boundingBox(),
      page.getByRole('navigation', { name: 'Admin Panel' }).boundingBox(),
    ])
    const tall = (fourth?.y ?? 0) + (fourth?.height ?? 0) - (first?.y ?? 0)
    expect(tall).toBeLessThan((bar?.y ?? 0) - 64)

    await cards.first().getByRole('button', { name: 'Start making it' }).click()
    await expect(cards.first().getByRole('combobox')).toHaveValue('processing')
    await cards.first().getByRole('button', { name: 'Ship parcel' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

    await cards.first().getByText('Thandi Mokoena').click()
    const details = page.getByRole('dialog', { name: 'Order Details' })
    await expect(details).toContainText('14 Beach Road')
    await details.getByRole('button', { name: 'Delete order' }).click()
    await expect(page.getByRole('dialog', { name: 'Delete Order' })).toBeVisible()
  })
})

test('a bulk action changes only rows that match its view, and keeps its dialogs when the view changes', async ({
  adminPage: page,
  shop,
}) => {
  const [typed, skipped] = await Promise.all([aPaidOrder(shop), aPaidOrder(shop)])
  const selection = page.getByRole('region', { name: 'Selection' })
  const selectRow = ({ number }: { number: string }) =>
    page.getByRole('checkbox', { name: `Select order ${number}` }).check()
  await page.goto('/admin/orders')
  await expect(row(page, typed.number)).toBeVisible()

  await test.step('rows of the view before are not selected while the next view loads', async () => {
    const release = await holdResponses(page, /rest\/v1\/orders.*delivered/)
    await page.getByLabel('Status', { exact: true }).selectOption('Delivered')
    await expect(page).toHaveURL(/status=delivered/)
    await expect(row(page, typed.number)).toBeVisible()
    for (const name of ['Select all orders on this page', `Select order ${typed.number}`])
      await expect(page.getByRole('checkbox', { name }).first()).toBeDisabled()
    await release()
    await expect(row(page, typed.number)).toHaveCount(0)
    await expect(selection).toHaveCount(0)
    await page.goBack()
  })

  await test.step('an e-mail to the selected buyers keeps its text when Back shows another view', async () => {
    await page.getByLabel('Status', { exact: true }).selectOption('New')
    // The rows follow the address a moment later.
    await expect(page.getByRole('link', { name: /^To make/ })).toHaveAttribute('aria-current', 'true')
    await selectRow(typed)
    await selection.getByRole('button', { name: 'E-mail' }).click()
    const dialog = page.getByRole('dialog', { name: 'E-mail the buyer of this order' })
    await dialog.getByLabel('Message').fill('The poppers are ready.')
    await page.goBack()
    await expect(page).toHaveURL(/\/admin\/orders$/)
    await expect(selection).toHaveCount(0)

    await expect(dialog.getByLabel('Message')).toHaveValue('The poppers are ready.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('the reasons for skipped orders are shown when the last order leaves the list', async () => {
    await page.goto(`/admin/orders?status=new&search=${skipped.order_number}`)
    await selectRow(skipped)
    await queryDatabase(shop, `update public.orders set status = 'delivered' where id = $1`, [skipped.id])
    await selection.getByLabel('Set the status of the selected orders').selectOption('Processing')
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeAttached()

    const outcome = page.getByRole('dialog', { name: '0 done, 1 skipped' })
    await expect(outcome).toContainText(`${skipped.number} Someone has changed it in the meantime.`)
    await outcome.getByRole('button', { name: 'Close', exact: true }).last().click()
    await expect(selection).toHaveCount(0)
  })
})

test(
  'a late answer replaces no page that was opened meanwhile, and a failed change undoes no later change',
  { tag: '@long' },
  async ({ adminPage: page, shop }) => {
    const made = await aPaidOrder(shop)
    await page.goto('/admin/orders')

    await test.step('packing slips do not replace a page that was opened while their orders load', async () => {
      await page.getByRole('checkbox', { name: `Select order ${made.number}` }).check()
      const slips = page.getByRole('button', { name: 'Packing slips' })
      const releaseOrders = await holdResponses(page, ORDERS)
      await slips.click()
      await expect(slips).toBeDisabled()
      // The orders come before the page that was opened.
      const releasePage = await holdResponses(page, '**/assets/*.js')
      await page.getByRole('link', { name: 'Promo Codes', exact: true }).click()
      const loaded = page.waitForResponse(ORDERS)
      // Every mutation reloads these counts when it has ended.
      const ended = page.waitForResponse('**/rpc/count_attention*')
      await releaseOrders()
      await (await loaded).finished()
      await ended
      await releasePage()
      await expect(page).toHaveURL(/\/admin\/promo-codes$/)
      const add = page.getByRole('button', { name: 'Add Promo Code' })
      const dialog = page.getByRole('dialog', { name: 'Create Promo Code' })
      await add.click()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect(dialog).toHaveCount(0)
      await expect(add).toBeVisible()
      await page.goBack()
      await expect(page).toHaveURL(/\/admin\/orders$/)
    })

    await test.step('a change of the columns stays when an older answer arrives later', async () => {
      await page.getByRole('button', { name: 'Columns and density' }).click()
      const settings = page.getByRole('dialog', { name: 'Columns and density' })
      // The page loads the columns again after each change.
      const release = await holdAnswer(page, 'list_settings?select', () =>
        settings.getByLabel('Tracking').click(),
      )
      const save = await holdResponses(page, SETTINGS, { method: 'POST' })
      await settings.getByLabel('Date').click()
      await release()
      await afterTwoFrames(page)
      expect(await settings.getByLabel('Date').isChecked()).toBe(false)
      const dateSaved = settingsSaved(page)
      await save()
      await dateSaved
      await page.unroute(SETTINGS)
      for (const column of ['Tracking', 'Date']) {
        await expect(settings.getByLabel(column)).not.toBeChecked()
        const saved = settingsSaved(page)
        await settings.getByLabel(column).click()
        await saved
      }
      await page.keyboard.press('Escape')
      await expect(settings).toHaveCount(0)
    })

    await test.step('a failed change of the columns does not undo a change that was saved later', async () => {
      const { promise: failed, resolve: fail } = Promise.withResolvers<void>()
      const abort = async (route: Route) => {
        if (route.request().method() === 'GET') return route.fallback()
        await page.unroute(SETTINGS, abort)
        await failed
        await route.abort()
      }
      await intercept(page, SETTINGS, abort)
      await page.getByRole('button', { name: 'Columns and density' }).click()
      const settings = page.getByRole('dialog', { name: 'Columns and density' })
      await settings.getByLabel('Tracking').click()
      await settings.getByLabel('Date').click()
      const loaded = page.waitForResponse(
        (response) => response.url().includes('list_settings') && response.request().method() === 'GET',
      )
      fail()
      await expect(page.getByRole('alert').filter({ hasText: 'Error' })).toBeVisible()
      await (await loaded).finished()
      await afterTwoFrames(page)
      await expect(settings.getByLabel('Date')).not.toBeChecked()
      // The later change was made on top of the failed one, and so includes it.
      for (const column of ['Tracking', 'Date']) {
        const saved = settingsSaved(page)
        await settings.getByLabel(column).click()
        await expect(settings.getByLabel(column)).toBeChecked()
        await saved
      }
      await page.keyboard.press('Escape')
      await expect(settings).toHaveCount(0)
    })
  },
)

/** In each of their states. */
async function setupChecksAreShown(steps: Locator): Promise<void> {
  const page = steps.page()
  const call = '**/functions/v1/check-setup'
  const again = steps.getByRole('button', { name: 'Check again' })
  const show = (...findings: object[]) =>
    intercept(page, call, (route) => route.fulfill({ json: { findings } }))

  // Nothing is answered until the skeleton has been seen.
  let fail: (() => void) | undefined
  const held = new Promise<void>((settle) => (fail = settle))
  await intercept(page, call, async (route) => {
    await held
    await route.abort()
  })
  await page.reload()
  await expect(steps.getByText('Loading Server')).toBeAttached()
  fail?.()
  await expect(steps.getByRole('heading', { name: 'Server could not be loaded' })).toBeVisible()

  await page.unroute(call)
  await steps.getByRole('button', { name: 'Try again' }).click()
  await steps.getByText(/^Show passed checks/).click()
  await expect(steps.getByRole('list', { name: 'Passed checks' })).toContainText(
    'The mail server accepts the sign-in.',
  )

  const passed = { component: 'disk', state: 'ok', message: 'The disk has room.', action: null }
  const problem = {
    component: 'PayFast',
    state: 'warning',
    message: 'Not live.',
    action: 'Set PAYFAST_MODE.',
  }
  await show(problem, passed)
  await again.click()
  const problems = steps.getByRole('list', { name: 'Server problems' }).getByRole('listitem')
  await expect(problems).toHaveText(/Warning:.*PayFast.*Not live\..*Set PAYFAST_MODE\./)

  await page.unroute(call)
  await show(passed)
  await again.click()
  await expect(steps.getByText('The server is ready.')).toBeVisible()

  await page.unroute(call)
  await show()
  await again.click()
  await expect(steps.getByRole('heading', { name: 'Nothing is checked' })).toBeVisible()
  await page.unroute(call)
}

test(
  'the dashboard shows setup steps to a new shop, and each figure opens the counted orders',
  { tag: '@long' },
  async ({ adminPage: page, shop }) => {
    const order = await aPaidOrder(shop)

    await test.step('the setup steps are shown until the first sale', async () => {
      const rpc = '**/rest/v1/rpc/setup_steps'
      const beforeFirstSale = {
        second_factor: false,
        settings: true,
        stock: true,
        first_order: false,
        live_payments: true,
      }
      await intercept(page, rpc, (route) => route.fulfill({ json: beforeFirstSale }))
      await page.goto('/admin')
      const steps = page.getByRole('region', { name: 'First steps' })
      await expect(steps).toContainText('Add a second step to your sign-in')
      await setupChecksAreShown(steps)

      await page.unroute(rpc)
      const sandbox = { ...beforeFirstSale, first_order: true, live_payments: false }
      await intercept(page, rpc, (route) => route.fulfill({ json: sandbox }))
      await page.reload()
      await expect(steps.getByRole('link', { name: 'Switch PayFast to live' })).toBeVisible()

      await page.unroute(rpc)
      const answer = page.waitForResponse(rpc)
      await page.reload()
      await (await answer).finished()

      await expect(page.getByRole('region', { name: 'To do' })).not.toHaveAttribute('aria-busy', 'true')
      await expect(steps).toHaveCount(0)
    })

    // covers A30
    await test.step('the sales of a period open the orders of a colour', async () => {
      const sales = page.getByRole('region', { name: 'Sales', exact: true })
      await sales.getByRole('link', { name: '7 days' }).click()
      await expect(page).toHaveURL(/days=7/)
      await expect(
        sales.getByRole('img', { name: /^Revenue net of refunds by day\. Highest: R/ }),
      ).toBeVisible()

      const release = await holdResponses(page, '**/rest/v1/rpc/sales_by_day?*')
      await sales.getByRole('link', { name: '365 days' }).click()
      await expect(page).toHaveURL(/days=365/)
      await expect(sales).toHaveAttribute('aria-busy', 'true')
      await expect(sales.getByText('Revenue, net of refunds')).toHaveCount(0)
      await release()
      await expect(sales.getByText('No sales in the 365 days before to compare with.')).toBeVisible()
      await expect(sales.getByText('days before')).toHaveCount(1)
      await sales.getByRole('link', { name: '7 days', exact: true }).click()

      await sales
        .getByRole('region', { name: 'By colour' })
        .getByRole('link', { name: /Blue Reaper/ })
        .first()
        .click()

      await expect(page).toHaveURL(/payment=earned&paid_from=.+&paid_to=.+&lure=.+&colour=Blue\+Reaper/)
      await expect(page.getByText('Colour: Blue Reaper')).toBeVisible()
      await expect(row(page, order.number)).toHaveCount(1)
    })

    // covers A30
    await test.step('the count of open tasks opens the list of the tasks', async () => {
      await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
      const toMake = page.getByRole('region', { name: 'To do' }).getByRole('link', { name: /^To make/ })
      await expect(toMake).toHaveText(/[1-9]/)
      await toMake.click()
      await expect(page).toHaveURL(/\/admin\/orders\?status=new$/)
      await page.getByRole('searchbox', { name: 'Search orders' }).fill(String(order.order_number))
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/search=/)
      await expect(row(page, order.number)).toHaveCount(1)
    })

    await test.step('a dashboard left open over midnight shows the sales of the new day', async () => {
      const today = todayInSouthAfrica(new Date())
      await page.clock.install({ time: new Date(`${today}T00:00:00+02:00`).getTime() - HOUR_MS })
      await page.goto('/admin?days=7')
      const orders = page
        .getByRole('region', { name: 'Sales', exact: true })
        .getByRole('link', { name: /^Orders/ })
      await expect(orders).toBeVisible()
      await expect(orders).not.toHaveAttribute('href', new RegExp(`paid_to=${today}`))

      await page.clock.fastForward(HOUR_MS)

      await expect(orders).toHaveAttribute('href', new RegExp(`paid_to=${today}`))
    })

    await test.step('a list page beyond the last page shows a message', async () => {
      await page.goto('/admin/orders?page=99')
      await expect(page.getByRole('heading', { name: 'There is no page 99' })).toBeVisible()
    })
  },
)

/** Delays React's scheduled rendering by one second, as on a busy phone; synchronous updates after a press stay immediate. */
async function drawLate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { prototype } = MessagePort
    const soon: unknown = Reflect.get(prototype, 'postMessage')
    prototype.postMessage = function late(...message: unknown[]) {
      setTimeout(() => typeof soon === 'function' && Reflect.apply(soon, this, message), 1_000)
    }
  })
}

// covers A6
test(
  'a slow list shows a skeleton and handles presses during loading',
  { tag: '@long' },
  async ({ brother: { page }, staff }) => {
    const lure = await aLure(staff)

    await test.step('a slow list shows a skeleton after a delay', async () => {
      let answer: (() => void) | undefined
      const held = new Promise<void>((resolve) => (answer = resolve))
      await intercept(page, '**/rest/v1/orders*', async (route) => {
        await held
        await route.continue()
      })
      await page.getByRole('link', { name: 'Orders', exact: true }).click()
      const waiting = page.getByText('Loading Orders')
      await expect(waiting).toHaveCount(1)
      expect(
        await waiting.evaluate(
          (element) => getComputedStyle(element.parentElement ?? element).animationDelay,
        ),
      ).toBe('0.15s')
      await expect(waiting).toBeVisible()
      answer?.()
      await expect(waiting).toHaveCount(0)
    })

    await test.step('a row opened during a search stays open', async () => {
      await page.clock.install()
      await page.goto('/admin/products')
      const opener = page.getByRole('link', { name: lure.name })
      await expect(opener).toBeVisible()
      const isFetched = Promise.withResolvers<void>()
      await intercept(page, '**/assets/**', async (route) => {
        await isFetched.promise
        await route.continue()
      })

      await page.getByRole('searchbox', { name: 'Search products' }).fill(lure.name)
      await opener.click()
      await page.clock.fastForward(1_000)
      isFetched.resolve()

      await expect(page.getByRole('textbox', { name: 'Price without hooks, all colours' })).toBeVisible()
    })
  },
)

test(
  'Back at once from a newly opened list keeps the search of the list before',
  { tag: '@long' },
  async ({ adminPage: page }) => {
    await page.goto('/admin/orders?search=kingfish')
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
    await page.getByRole('link', { name: 'Promo Codes', exact: true }).click()
    await expect(page.getByRole('searchbox', { name: 'Search promo codes' })).toBeVisible()
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    const search = page.getByRole('searchbox', { name: 'Search orders' })
    await search.waitFor()

    // Until the page is drawn, the search box would search for its empty text.
    await drawLate(page)
    await page.evaluate(() => window.history.go(-2))

    await expect(search).toHaveValue('kingfish')
    await expect(page).toHaveURL(/search=kingfish/)
  },
)

test(
  'Forward at once after Back keeps the later search of a list',
  { tag: '@long' },
  async ({ adminPage: page }) => {
    const search = page.getByRole('searchbox', { name: 'Search orders' })
    await page.clock.install()
    await page.goto('/admin/orders?search=kingfish')
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
    // Otherwise the search box's timer could end before Enter or Forward is pressed.
    await page.clock.pauseAt(Date.now() + MINUTE_MS)
    await search.fill('sardine')
    await search.press('Enter')
    await expect(page).toHaveURL(/search=sardine/)

    await page.goBack()
    await expect(search).toHaveValue('kingfish')
    await page.goForward()
    await expect(page).toHaveURL(/search=sardine/)
    await page.clock.runFor(300)
    await page.clock.resume()

    await expect(search).toHaveValue('sardine')
    await expect(page).toHaveURL(/search=sardine/)
  },
)

test(
  'a filter chosen during a search is combined with the search',
  { tag: '@long' },
  async ({ adminPage: page }) => {
    await page.goto('/admin/orders')
    const search = page.getByRole('searchbox', { name: 'Search orders' })
    await expect(search).toBeVisible()
    await drawLate(page)

    await search.fill('nobody')
    await search.press('Enter')
    await page.getByLabel('Status', { exact: true }).selectOption('New')

    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Remove the filter Status: New' })).toBeVisible()
    await expect(page).toHaveURL(/search=nobody&status=new/)
  },
)
