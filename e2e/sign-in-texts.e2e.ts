import { PASSWORD } from './fixtures/angler.ts'
import { expect, test } from './fixtures/journey.ts'

test('two tabs; what is wrong stands under its field', async ({ page }) => {
  await page.goto('/auth', { waitUntil: 'networkidle' })
  await expect(page.getByRole('tab')).toHaveText(['Login', 'Sign Up'])
  const login = page.getByRole('tabpanel', { name: 'Login' })
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
  const signUp = page.getByRole('tabpanel', { name: 'Sign Up' })
  await signUp.getByRole('button', { name: 'Sign Up' }).click()
  await expect(signUp.getByLabel('Full Name')).toHaveAccessibleDescription(
    'Name must be at least 2 characters',
  )
})

test('signing up and in is told in the specified words, and leads home', async ({ angler }) => {
  const { page } = angler
  await page.goto('/auth')
  await angler.signUp()
  await expect(page.getByText('Account created successfully! You can now log in.')).toBeVisible()
  await expect(page).toHaveURL('/')
  await page.goto('/auth')
  await expect(page).toHaveURL('/')
  await angler.signOut()
  await expect(page).toHaveURL('/')

  await page.goto('/auth')
  await angler.signIn({ email: angler.email, password: PASSWORD })
  await expect(page.getByText('Logged in successfully')).toBeVisible()
  await expect(page).toHaveURL('/')
})

test('a sign-up’s mailed link carries the page the visitor was on, and a customer’s page logs no failed request', async ({
  angler,
}) => {
  const { page } = angler
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  const asked = page.waitForRequest('**/auth/v1/signup*')
  await page.goto('/size-guide')
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  await angler.signUp()

  const returnTo = new URL((await asked).url()).searchParams.get('redirect_to') ?? ''
  expect(new URL(returnTo).pathname).toBe('/')
  expect(new URL(returnTo).searchParams.get('redirect')).toBe('/size-guide')
  const isAdmin = page.waitForResponse('**/rest/v1/user_roles*')
  await page.goto('/faq')
  expect((await isAdmin).status()).toBe(200)
  expect(errors).toEqual([])
})

test('what the server refuses, and what nobody expected, is told', async ({ angler, shop }) => {
  const { page } = angler
  await page.goto('/auth', { waitUntil: 'networkidle' })
  const login = page.getByRole('tabpanel', { name: 'Login' })
  await login.getByLabel('E-mail', { exact: true }).fill(shop.admin.email)
  await login.getByLabel('Password').fill('not-the-password')
  await login.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('alert')).toContainText('Login failed')
  await expect(page.getByRole('alert')).toContainText('Invalid login credentials')

  await page.getByRole('tab', { name: 'Sign Up' }).click()
  const signUp = page.getByRole('tabpanel', { name: 'Sign Up' })
  await signUp.getByLabel('Full Name').fill('Thandi Mokoena')
  await signUp.getByLabel('E-mail', { exact: true }).fill(shop.admin.email)
  await signUp.getByLabel('Password').fill(PASSWORD)
  await page.route('**/auth/v1/signup*', (route) =>
    route.fulfill({
      status: 422,
      json: { code: 422, error_code: 'signup_disabled', msg: 'Signups not allowed' },
    }),
  )
  await signUp.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByRole('alert')).toContainText('Signup failed')
  await expect(page.getByRole('alert')).toContainText('Signups not allowed')

  await page.route('**/auth/v1/signup*', (route) => route.fulfill({ status: 200, body: 'no JSON at all' }))
  await signUp.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByRole('alert')).toContainText(/An unexpected error occurred|Signup failed/)
})

test('an account is made whether or not its welcome goes out', async ({ angler }) => {
  const { page } = angler
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await page.route('**/functions/v1/send-newsletter-signup', (route) => route.fulfill({ status: 500 }))
  await page.goto('/auth', { waitUntil: 'networkidle' })
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  const news = page
    .getByRole('tabpanel', { name: 'Sign Up' })
    .getByRole('checkbox', { name: /news and offers/ })
  await expect(news).not.toBeChecked()
  await news.check()

  await angler.signUp()

  await expect(page).toHaveURL('/')
  await expect.poll(() => logged.join()).toContain('the welcome e-mail was not requested')
  await expect(page.getByRole('alert')).toHaveCount(0)
})
