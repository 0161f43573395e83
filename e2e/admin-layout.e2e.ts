import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'
import type { ApiOrder } from './fixtures/order-over-api.ts'
import { aDoublePayment } from './fixtures/payment-issues.ts'

interface Desk {
  page: Page
  order: ApiOrder
}

test(
  'long texts and wide tables do not break the layout of the admin area',
  { tag: '@long' },
  async ({ brother: { page }, shop, staff }) => {
    const order = await aDoublePayment(shop)
    await staff.from('orders').update({ tracking_number: 'TCG10000042' }).eq('id', order.id).throwOnError()

    await page.setViewportSize({ width: 1024, height: 768 })
    await test.step('the orders list at 1024 px shows names and short e-mail addresses on one line', () =>
      expectOrderRow({ page, order }))
    await page.setViewportSize({ width: 390, height: 844 })
    await test.step('the dialogs of an order have equal margins on a phone', () =>
      expectMargins({ page, order }))
    await test.step('the pagination and the columns button fit on one line of a phone', () =>
      expectOneLine(page))
    await test.step('the command menu keeps an e-mail address on one line inside the dialog of a phone', () =>
      expectShortAddress({ page, order }))
  },
)

async function expectMargins({ page, order }: Desk): Promise<void> {
  await page.goto(`/admin/orders/${order.id}`)
  for (const [button, dialog] of [
    ['Change address', 'Change address'],
    ['E-mail customer', 'Send Email'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    const form = page.getByRole('dialog', { name: dialog }).locator('form')
    const [left, right] = await form.evaluate((element) => {
      const [inner, outer] = [element, element.closest('dialog') ?? element].map((box) =>
        box.getBoundingClientRect(),
      )
      return [(inner?.left ?? 0) - (outer?.left ?? 0), (outer?.right ?? 0) - (inner?.right ?? 0)]
    })
    expect(Math.abs((left ?? 0) - (right ?? 0)), `${dialog}: ${left} px and ${right} px`).toBeLessThanOrEqual(
      1,
    )
    await page.keyboard.press('Escape')
  }
}

async function expectOneLine(page: Page): Promise<void> {
  const section = page.getByRole('region', { name: 'Clients' })
  for (const address of ['', '?page=99']) {
    await page.goto(`/admin/clients${address}`)
    const position = await section.getByRole('navigation', { name: 'Pages of clients' }).first().boundingBox()
    const columns = await section.getByRole('button', { name: 'Columns and density' }).boundingBox()
    expect(columns?.y, `at “${address}”`).toBeCloseTo(position?.y ?? -1, 0)
    expect(columns?.x).toBeGreaterThan(position?.x ?? Infinity)
  }
}

async function expectShortAddress({ page, order: { email } }: Desk): Promise<void> {
  await page.goto('/admin')
  await page.getByRole('button', { name: /Search or jump to/ }).click()
  const menu = page.getByRole('dialog', { name: 'Search or jump to' })
  await menu.getByRole('combobox').fill(email)

  const address = menu.getByRole('option').getByText(email, { exact: true })
  await expect(address).toBeVisible()
  const { overflow, height, lineHeight } = await address.evaluate((element) => ({
    overflow:
      element.getBoundingClientRect().right -
      (element.closest('[role=listbox]')?.getBoundingClientRect().right ?? 0),
    height: element.getBoundingClientRect().height,
    lineHeight: Number.parseFloat(getComputedStyle(element).lineHeight),
  }))
  expect(height).toBeLessThan(1.5 * lineHeight)
  expect(overflow).toBeLessThanOrEqual(0)
}

async function expectOrderRow({ page, order }: Desk): Promise<void> {
  await page.goto(`/admin/orders?search=${order.order_number}`)

  const row = page.getByRole('row').filter({ hasText: order.number })
  for (const width of [1024, 961]) {
    await page.setViewportSize({ width, height: 768 })
    await expect(row).toContainText('TCG10000042')
    await expect(row).toContainText(/Needs attention\s*Paid/)
    for (const words of ['Thandi Mokoena', 'thandi@example.com']) {
      expect(await linesOf(row.getByText(words, { exact: true }).last()), `${words} at ${width} px`).toBe(1)
    }
    const overflow = await page
      .getByRole('table')
      .evaluate((table) => table.scrollWidth - (table.parentElement?.clientWidth ?? 0))
    expect(overflow).toBeLessThanOrEqual(0)
  }
}

function linesOf(words: Locator): Promise<number> {
  return words.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size
  })
}
