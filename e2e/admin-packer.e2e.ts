import { PASSWORD } from './fixtures/angler.ts'
import { signUpCustomer, confirmMailbox } from './fixtures/customer.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { aPaidOrder } from './fixtures/order-over-api.ts'

// covers A6.1
test(
  'a packer ships an order but sees no money or clients',
  { tag: '@long' },
  async ({ angler, adminPage: page, shop }) => {
    const [order, customer] = await Promise.all([aPaidOrder(shop), signUpCustomer(shop)])
    const { email } = customer
    await confirmMailbox(shop, customer)
    await page.goto('/admin/settings')
    const people = page.getByRole('region', { name: 'People' })
    const person = people.getByRole('listitem').filter({ hasText: email })
    const packer = angler.page

    // covers A37
    await test.step('an admin reauthenticates and grants the packer role on the settings page', async () => {
      const give = async (address: string) => {
        await people.getByLabel('E-mail of their account').fill(address)
        await people.getByRole('button', { name: 'Add', exact: true }).click()
        await page
          .getByRole('dialog', { name: 'Make a packer' })
          .getByRole('button', { name: 'Make packer' })
          .click()
      }
      await expect(people.getByRole('listitem').filter({ hasText: shop.admin.email })).toContainText('You')

      // This browser reauthenticated when the worker started, which may be too long ago for the database.
      await intercept(page, '**/rest/v1/rpc/grant_role', (route) => route.fulfill(PROVE_FIRST), { times: 1 })
      await give(email)
      const proof = page.getByRole('dialog', { name: 'Confirm that it’s you' })
      await proof.getByLabel('Password').fill('not-my-password')
      await proof.getByRole('button', { name: 'Continue' }).click()
      await expect(proof.getByText('This is not your password.')).toBeVisible()
      await proof.getByLabel('Password').fill(shop.admin.password)
      await proof.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByText(/ is a packer$/)).toBeVisible()
      await expect(person).toContainText('Packer')

      await give('unknown@example.com')
      await expect(people.getByText('There is no account with this e-mail address.')).toBeVisible()
      await expect(people.getByLabel('E-mail of their account')).toHaveValue('unknown@example.com')
    })

    await test.step('the packer signs in, opens the admin area and sees only permitted pages', async () => {
      await packer.goto('/auth')
      await angler.signIn({ email, password: PASSWORD })
      await packer.getByRole('button', { name: 'My Account' }).click()
      await packer.getByRole('link', { name: 'Admin Panel' }).click()
      await expect(packer).toHaveURL(/\/admin\/orders$/)
      await expect(packer.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link')).toHaveText([
        'Orders',
        'Gallery',
        'Messages',
      ])
      const row = packer.getByRole('row').filter({ hasText: order.number })
      await expect(row.getByRole('button', { name: /^Delete/ })).toHaveCount(0)
      await expect(row.getByRole('option', { name: 'Cancelled' })).toHaveCount(0)
      await expect(packer.getByRole('link', { name: 'Create order' })).toHaveCount(0)
      await expect(packer.getByRole('link', { name: /^To ship/ })).toBeVisible()
      await expect(packer.getByRole('link', { name: /^To refund/ })).toHaveCount(0)
      await row.getByRole('link', { name: order.number, exact: true }).click()
    })

    // covers A37
    await test.step('the packer ships a paid order', async () => {
      const details = packer.getByRole('dialog', { name: 'Order Details' })
      await expect(details.getByRole('region', { name: 'Timeline' })).toContainText('confirmed')
      await expect(details.getByRole('region', { name: 'Payment record' })).toHaveCount(0)
      await expect(details.getByRole('button', { name: 'Cancel order' })).toHaveCount(0)
      await expect(details.getByRole('link', { name: 'Invoice' })).toHaveCount(0)
      await details.getByRole('button', { name: 'Start making it' }).click()
      await details.getByRole('button', { name: 'Ship parcel' }).click()
      const couriers = details.getByLabel('Courier Company')
      await expect(couriers.getByRole('option', { name: '+ Create New Courier' })).toHaveCount(0)
      await expect(details.getByText('An admin can add a missing courier.')).toBeVisible()
      await details.getByLabel('Tracking Number').fill('TCG 42')
      await couriers.selectOption('The Courier Guy')
      await details.getByRole('button', { name: 'Update Tracking & Ship Order' }).click()
      await expect(details.getByRole('button', { name: 'Mark as delivered' })).toBeVisible()
      await expect(details.getByRole('link', { name: 'Track parcel' })).toHaveAttribute(
        'href',
        'https://portal.thecourierguy.co.za/track?ref=TCG%2042',
      )
      await details.getByRole('button', { name: 'Close' }).click()
    })

    await test.step('the packer cannot export messages or open invoices', async () => {
      await packer.getByRole('link', { name: 'Messages', exact: true }).click()
      await expect(packer.getByRole('region', { name: 'Messages' })).toBeVisible()
      await expect(packer.getByRole('button', { name: /^Export/ })).toHaveCount(0)
      await packer.goto(`/admin/print/invoices?orders=${order.id}`)
      await expect(packer).toHaveURL(/\/admin\/orders$/)
    })

    await test.step('a packer whose role is revoked cannot open the admin area', async () => {
      await person.getByRole('button', { name: /^Remove access of/ }).click()
      await page
        .getByRole('dialog', { name: 'Remove access' })
        .getByRole('button', { name: 'Remove access' })
        .click()
      await expect(person).toHaveCount(0)
      await packer.reload()
      await expect(packer).toHaveURL(`${shop.url}/`)
      const roleResponse = packer.waitForResponse(/user_roles/)
      await packer.goto('/')
      await packer.getByRole('button', { name: 'My Account' }).click()
      await roleResponse
      await expect(packer.getByRole('link', { name: 'Admin Panel' })).toHaveCount(0)
    })

    await test.step('the history shows who lost the packer role', async () => {
      await page.goto('/admin/history?thing=user_roles')
      const entries = page.getByRole('listitem')
      await expect(entries.first()).toContainText('removed from a role')
      await expect(entries.first()).toContainText('Packer')
    })
  },
)

const PROVE_FIRST = {
  status: 403,
  json: {
    code: 'PT403',
    message: 'Please confirm once more that it is you.',
    details: 'not_proven_recently',
    hint: null,
  },
}
