import { afterAll, beforeAll, expect, it } from 'vitest'

import { shopDatabase, type TestDatabase } from '#test/database.ts'

import { syncRefundMethod } from './refund-method.ts'
import { parseSettings } from './settings.ts'

const LIVE = {
  PUBLIC_URL: 'https://shop.example',
  PAYFAST_MODE: 'live',
  PAYFAST_MERCHANT_ID: '10012345',
  PAYFAST_MERCHANT_KEY: 'abcdef0123456',
  PAYFAST_PASSPHRASE: 'a-long_pass/phrase',
  ALLOW_FREE_ORDERS_WITH_SIMULATOR: 'true',
}

let shop: TestDatabase
beforeAll(async () => {
  shop = await shopDatabase()
})
afterAll(() => shop.close())

it.each([
  ['live', 'payfast'],
  ['sandbox', 'by_hand'],
  ['simulator', 'by_hand'],
])('stores that refunds in %s mode are paid %s', async (mode, way) => {
  await syncRefundMethod(shop.database.owner, parseSettings({ ...LIVE, PAYFAST_MODE: mode }, '.'))

  const { rows } = await shop.database.owner.query('select refund_way from private.shop_rules')
  expect(rows).toEqual([{ refund_way: way }])
})
