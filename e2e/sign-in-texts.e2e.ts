import { PASSWORD } from './fixtures/angler.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'

test('a visitor signs up after correcting errors and signs in again', async ({ angler, shop }) => {
  const { page } = angler
  const login = page.getByRole('tabpanel', { name: 'Login' })
  const signUp = page.getByRole('tabpanel', { name: 'Sign Up' })
  const alert = page.getByRole('alert')
  const logged: { type: string; text: string }[] = []
  page.on('console', (message) => logged.push({ type: message.type(), text: message.text() }))
  const sent: string[] = []
  const errors = () => logged.filter(({ type }) => type === 'error').map(({ text }) => text)

  await page.goto('/size-guide')
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/auth?redirect=%2Fsize-guide')

  // covers S2.3 S5.7
  await test.step('the sign-in page has two tabs and shows errors below the fields', async () => {
    await expect(page.getByRole('tab')).toHaveText(['Login', 'Sign Up'])
    await login.getByRole('button', { name: 'Login' }).click()
    await expect(login.getByLabel('E-mail', { exact: true })).toHaveAccessibleDescription('Email is required')
    await login.getByLabel('E-mail', { exact: true }).fill('thandi@')
    await expect(login.getByLabel('E-mail', { exact: true })).toHaveAccessibleDescription(
      'Invalid email address',
    )
    await login.getByLabel('Password').fill('12345')
    await login.getByLabel('Password').blur()
    await expect(login.getByLabel('Password')).toHaveAccessibleDescription(
      /Password must be at least 6 characters/,
    )
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await signUp.getByRole('button', { name: 'Sign Up' }).click()
    await expect(signUp.getByLabel('Full Name')).toHaveAccessibleDescription(
      'Name must be at least 2 characters',
    )
    expect(errors()).toEqual([])
  })

  // covers S8.7
  await test.step('rejected sign-ins and unexpected errors show a message', async () => {
    await page.getByRole('tab', { name: 'Login' }).click()
    await login.getByLabel('E-mail', { exact: true }).fill(shop.admin.email)
    await login.getByLabel('Password').fill('not-the-password')
    await login.getByRole('button', { name: 'Login' }).click()
    await expect(alert).toContainText('Login failed')
    await expect(alert).toContainText('Invalid login credentials')

    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await signUp.getByLabel('Full Name').fill(angler.name)
    await signUp.getByLabel('E-mail', { exact: true }).fill(angler.email)
    await signUp.getByLabel('Password').fill(PASSWORD)
    await intercept(page, '**/auth/v1/signup*', (route) =>
      route.fulfill({
        status: 422,
        json: { code: 422, error_code: 'signup_disabled', msg: 'Signups not allowed' },
      }),
    )
    await signUp.getByRole('button', { name: 'Sign Up' }).click()
    await expect(alert).toContainText('Signup failed')
    await expect(alert).toContainText('Signups not allowed')

    await page.unroute('**/auth/v1/signup*')
    await intercept(page, '**/auth/v1/signup*', (route) =>
      route.fulfill({ status: 200, body: 'no JSON at all' }),
    )
    await signUp.getByRole('button', { name: 'Sign Up' }).click()
    await expect(alert).toContainText(/An unexpected error occurred|Signup failed/)
    await expect(alert).not.toContainText('Signups not allowed')
    await page.unroute('**/auth/v1/signup*')
  })

  await test.step('repeated presses on Sign Up create one account and show one message', async () => {
    const news = signUp.getByRole('checkbox', { name: /news and offers/ })
    await expect(news).not.toBeChecked()
    await news.check()
    await intercept(page, '**/functions/v1/send-newsletter-signup', (route) => route.fulfill({ status: 500 }))
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/auth/v1/signup')) sent.push(request.url())
    })
    await signUp.locator('button[type=submit]').evaluate((button: HTMLButtonElement) => {
      setInterval(() => button.click(), 1)
    })
    await expect(page.getByText('Account created successfully! You can now log in.')).toHaveCount(1)
    await expect(page).toHaveURL('/')
    expect(sent).toHaveLength(1)
  })

  // covers S2.31
  await test.step('a sign-up’s mailed link returns to the visitor’s page', () => {
    const returnTo = new URL(new URL(sent[0] ?? '').searchParams.get('redirect_to') ?? '')
    expect(returnTo.pathname).toBe('/')
    expect(returnTo.searchParams.get('redirect')).toBe('/size-guide')
  })

  // covers S7.14 S8.4
  await test.step('an account is created even if the welcome mail fails', async () => {
    await expect
      .poll(() => logged.map(({ text }) => text).join())
      .toContain('the welcome e-mail was not requested')
    await expect(alert).toHaveCount(0)
  })

  // covers S2.16 S2.30 S4.1 S6.4 S8.8
  await test.step('sign-up and sign-in show the specified messages and open the home page', async () => {
    await page.goto('/auth')
    await expect(page).toHaveURL('/')

    await test.step('a sign-out that the shop does not answer ends the session within five seconds', async () => {
      await page.goto('/faq')
      const release = await holdResponses(page, '**/auth/v1/logout*')
      await page.getByRole('button', { name: 'My Account' }).click()
      await page.clock.install()
      const requested = page.waitForRequest('**/auth/v1/logout*')
      await page.getByRole('button', { name: 'Sign Out' }).click()
      await requested
      await page.clock.fastForward(5_000)
      await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
      await release()
      await page.unrouteAll()
      await expect(page).toHaveURL('/')
    })

    await page.goto('/auth')
    await angler.signIn({ email: angler.email, password: PASSWORD })
    await expect(page.getByText('Logged in successfully')).toBeVisible()
    await expect(page).toHaveURL('/')
  })

  await test.step('a customer’s page logs no failed request', async () => {
    const isAdmin = page.waitForResponse('**/rest/v1/user_roles*')
    await page.goto('/faq', { waitUntil: 'commit' })
    // WebKit logs the requests of the page before, which leaving it cancelled.
    logged.length = 0
    expect((await isAdmin).status()).toBe(200)
    expect(errors()).toEqual([])
  })
})
