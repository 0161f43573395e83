import sharp from 'sharp'
import { aPaidOrder } from '../fixtures/order-over-api.ts'
import type { Found } from './in-page.ts'
import { button, dialog, heading, link } from './steps.ts'
import type { Walker } from './walker.ts'

type Box = Pick<Found, 'left' | 'top' | 'right' | 'bottom'>

async function signsIn(walker: Walker): Promise<void> {
  const { admin } = walker.shop
  if (!admin) throw new Error('a new shop saved no first admin')
  await walker.open('/auth?redirect=%2Fadmin')
  await walker.type('E-mail', admin.email)
  await walker.type(/^Password/, admin.password)
  await walker.press(button('Login'))
  await walker.see(heading(/^Admin Panel/))
}

/** Opens the orders, one order and the settings, and changes the theme. */
export async function looksAfterTheShop(walker: Walker): Promise<void> {
  const { number } = await aPaidOrder(walker.shop)
  await walker.engine.resize(1440, 900)
  await signsIn(walker)
  await walker.press(link('Orders'))
  await walker.see(link(number))
  await walker.screenshot('1440-admin-orders')
  await walker.press(link(number))
  await walker.see(dialog('Order Details'))
  await walker.screenshot('1440-admin-order')
  await walker.pressEscape()
  await walker.gone(dialog('Order Details'))
  await walker.press(link('Settings'))
  await walker.see(heading('Settings'))
  await walker.press(button('Use the dark theme'))
  const scheme = () => walker.evaluate<string>('getComputedStyle(document.documentElement).colorScheme')
  await walker.until('the page and its scrollbar are dark', async () => (await scheme()) === 'dark')
  await walker.screenshot('1440-admin-dark')
  await walker.press(button('Use the light theme'))
  await walker.until('the page and its scrollbar are light', async () => (await scheme()) === 'light')
}

export async function seesDatesAndSliders(walker: Walker): Promise<void> {
  await walker.engine.resize(1440, 900)
  await signsIn(walker)
  await walker.open('/admin/history')
  const field = await walker.see({ role: 'field', name: 'From' })
  const history = await walker.picture('1440-admin-history')
  if (walker.engine.name === 'webkit' && (await contrastIn(history, field)) > 8)
    throw new Error('an empty date field shows a date')

  await walker.open('/admin/products')
  await walker.press(link(/Slow Sinking Stick Bait \(180/))
  await walker.press(button('Crop picture 1'))
  const slider = await walker.until('the slider is shown', () =>
    walker.evaluate<Box | null>(
      `document.querySelectorAll('dialog input[type=range]')[1]?.getBoundingClientRect().toJSON()`,
    ),
  )
  const crop = await walker.picture('1440-admin-crop')
  const middle = (slider.left + slider.right) / 2
  const centre = (slider.top + slider.bottom) / 2
  // Above the track: there is nothing but the thumb.
  const thumb = { left: middle - 20, right: middle + 20, top: centre - 7, bottom: centre - 4 }
  if ((await contrastIn(crop, thumb)) < 8) throw new Error('the slider shows no thumb')
}

/** The largest standard deviation of a colour in a part of a screenshot; 0 for a plain area. A field's edge and icon are excluded. */
async function contrastIn(screenshot: Buffer, { left, top, right, bottom }: Box): Promise<number> {
  const isField = bottom - top > 10
  const inset = isField ? { x: 6, y: 6, end: 48 } : { x: 0, y: 0, end: 0 }
  const picture = sharp(screenshot).extract({
    left: Math.round(left + inset.x),
    top: Math.round(top + inset.y),
    width: Math.round(right - left - inset.x - inset.end),
    height: Math.round(bottom - top - 2 * inset.y),
  })
  const { channels } = await sharp(await picture.png().toBuffer()).stats()
  return Math.max(...channels.slice(0, 3).map(({ stdev }) => stdev))
}
