import { expect, it } from 'vitest'
import { renderHtml } from '#test/render-page.tsx'
import { SecondStep } from './second-step.tsx'

const appNamed = (friendly_name: string) => ({ id: friendly_name, factor_type: 'totp', friendly_name })

it('asks which authenticator app a code comes from only when the account has several', () => {
  const [phone, tablet] = [appNamed('Phone'), appNamed('Tablet')]

  expect(renderHtml(<SecondStep factors={[phone]} />)).not.toContain('Phone')
  const html = renderHtml(<SecondStep factors={[phone, tablet]} />)
  expect(html).toContain('Authenticator app')
  expect(html).toContain('>Phone<')
  expect(html).toContain('>Tablet<')
})
