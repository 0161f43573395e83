import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { busyPage } from '#server/busy-page.ts'
import { aLure } from '../fixtures/lure.ts'
import { button, greeted, text } from './steps.ts'
import type { Walker } from './walker.ts'

export async function waitsForALaunch(walker: Walker): Promise<void> {
  const { secret } = await walker.shop.keys()
  const staff = createClient<ShopDatabase>(walker.shop.url, secret, { auth: { persistSession: false } })
  const lure = await aLure(staff)
  await walker.engine.resize(390, 844)
  await walker.open('/faq')
  await greeted(walker)
  const announce = (launchAt: number) =>
    staff
      .from('products')
      .update({ status: 'announced', publish_at: new Date(launchAt).toISOString() })
      .eq('id', lure.id)
      .throwOnError()
  await announce(Date.now() + 3_600_000)
  await walker.open(`/products/${lure.slug}/amber`)
  await walker.see(text(/^On sale/))
  await walker.until('the seconds are shown', () =>
    walker.evaluate<boolean>(
      `/\\d\\d seconds?/.test(document.querySelector('[role=timer]')?.textContent ?? '')`,
    ),
  )
  await walker.screenshot('launch')
  // Soon, and after this page has been drawn: it hears of the new moment when it is opened again.
  await announce(Date.now() + 6000)
  await walker.open(`/products/${lure.slug}/amber`)
  await walker.press(button('Without Hooks'))
  await walker.until('the sale has started', () =>
    walker.evaluate<boolean>(`!document.querySelector('[role=timer]')`),
  )
  await walker.press(button(/^Add to Cart/))
  await walker.see(text('Added to cart'))
}

/** A server that is full for the first three requests. Its fonts and its icon are the shop's. */
export async function opensARefusedPage(walker: Walker): Promise<void> {
  let refused = 0
  const server = createServer((request, response) => {
    if (request.url !== '/') return void sendFile(walker.shop.url + request.url, response)
    refused += 1
    if (refused <= 3) return void response.writeHead(503, busyPage.headers).end(busyPage.body)
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>There is room</h1>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  try {
    await walker.engine.resize(390, 844)
    await walker.engine.navigate(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`)
    await walker.see({ role: 'heading', name: 'Many anglers are here right now' })
    await walker.screenshot('refused')
    await walker.see({ role: 'heading', name: 'There is room' })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function sendFile(url: string, response: ServerResponse): Promise<void> {
  const file = await fetch(url)
  const type = file.headers.get('content-type') ?? 'application/octet-stream'
  response.writeHead(200, { 'content-type': type }).end(Buffer.from(await file.arrayBuffer()))
}
