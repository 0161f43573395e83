import { afterTwoFrames } from './fixtures/frames.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { expect, test } from './fixtures/journey.ts'
import { aLure } from './fixtures/lure.ts'

test('an admin finds a low-stock colour and adjusts the stock', async ({ adminPage: page, staff }) => {
  const lure = await aLure(staff)
  // covers A24
  await test.step('a colour at the low-stock threshold appears in the low-stock list', async () => {
    await staff.from('products').update({ low_stock_threshold: 5 }).eq('id', lure.id)

    const release = await holdResponses(page, '**/rpc/low_stock_threshold')
    await page.goto('/admin/low-stock')
    const row = page.getByRole('row').filter({ hasText: lure.name }).filter({ hasText: 'Amber' })
    await expect(row).toContainText('5 (this lure)')
    // What loads while the link is pressed would move it away, and the press would be lost.
    await row.getByRole('link').hover()
    await page.mouse.down()
    const loaded = page.waitForResponse('**/rpc/low_stock_threshold')
    await release()
    await (await loaded).finished()
    await afterTwoFrames(page)
    await page.mouse.up()

    await expect(page.getByRole('heading', { name: lure.name })).toBeVisible()
  })
  // covers A23
  await test.step('an admin adjusts stock with a reason, and the history shows the adjustment', async () => {
    await page.goto(`/admin/products/${lure.id}/stock`)
    const amber = page
      .getByRole('list', { name: 'Stock by colour' })
      .getByRole('listitem')
      .filter({ hasText: 'Amber' })

    const more = page.getByRole('button', { name: 'Add one Amber' })
    await more.click()
    await more.click()
    await expect(amber.getByText('+2')).toBeVisible()
    await amber.getByLabel('Note').fill('Bench 3')
    const release = await holdResponses(page, '**/rpc/adjust_stock')
    await amber.getByRole('button', { name: 'Save' }).click()
    await expect(more, 'a press while it saves would be lost').toBeDisabled()
    await expect(amber.getByLabel('Note'), 'a word while it saves would be lost').not.toBeEditable()
    await release()
    await expect(page.getByText('Amber: +2 made')).toBeVisible()
    await expect(amber.getByText('7', { exact: true })).toBeVisible()

    await page.getByRole('button', { name: 'Remove one Amber' }).click()
    await amber.getByRole('radio', { name: 'Damaged or lost' }).check()
    await amber.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Amber: −1 damaged or lost')).toBeVisible()

    await amber.getByRole('button', { name: 'Count' }).click()
    await amber.getByLabel('Counted quantity').fill('4')
    await staff
      .from('product_variants')
      .update({ stock_quantity: 9 })
      .match({ product_id: lure.id, name: 'Amber' })
      .throwOnError()
    await amber.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The stock has changed from 6 to 9 since you began to count.')).toBeVisible()
    await expect(amber.getByText('9', { exact: true })).toBeVisible()
    await amber.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Amber: counted, 4 in stock')).toBeVisible()

    const history = page.getByRole('region', { name: 'History' }).getByRole('row')
    await expect(history.filter({ hasText: 'Bench 3' })).toContainText(/\+2.*7.*Made/)
    await expect(history.filter({ hasText: 'Damaged or lost' })).toContainText(/−1.*6/)
    await expect(history.filter({ hasText: '−5' })).toContainText(/4.*Counted/)
    await expect(history.filter({ hasText: '−5' }).getByRole('time')).toHaveText(/\d\d:\d\d$/)
  })
})
