import { expect } from 'vitest'
import { popper, setStock } from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

/** Requests an alert about the sold-out popper. */
async function requestAlert(sql: TestTransaction): Promise<void> {
  await setStock(sql, popper, 0)
  await sql.rows(
    `select public.request_stock_alert(id, 'sipho@example.com') from public.product_variants where name = $1`,
    [popper.product_variant],
  )
}

const queueAlerts = (sql: TestTransaction) => sql.value('select private.queue_stock_alerts()')

test('shows the lure in a stock alert and leads to the colour', async ({ sql }) => {
  await sql.rows(`update public.product_variants set image_url = '' where name = $1`, [
    popper.product_variant,
  ])
  await requestAlert(sql)
  await setStock(sql, popper, 1)

  expect(await queueAlerts(sql)).toBe(1)

  expect(await sql.value(`select props from public.mails where template = 'back-in-stock'`)).toMatchObject({
    productName: popper.product_name,
    variantName: popper.product_variant,
    address: 'chisel-nose-popper-150/red-head',
    imageUrl: await sql.value('select image_url from public.products where name = $1', [popper.product_name]),
  })
})

test('sends no stock alert for a hidden product', async ({ sql }) => {
  await requestAlert(sql)
  const setStatus = (status: string) =>
    sql.rows('update public.products set status = $2 where name = $1', [popper.product_name, status])
  await setStatus('hidden')
  await setStock(sql, popper, 1)

  expect(await queueAlerts(sql)).toBe(0)
  await setStatus('live')
  expect(await queueAlerts(sql)).toBe(1)
})

test('queues no e-mail for a stock alert that its recipient has cancelled', async ({ sql }) => {
  await requestAlert(sql)
  await sql.rows('select private.cancel_stock_alerts(id) from public.stock_alerts')
  await setStock(sql, popper, 1)

  expect(await queueAlerts(sql)).toBe(0)
})
