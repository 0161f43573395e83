import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const CODE = '{app,packages,bench,domain,e2e,emails,payments,scripts,server,supabase,test}/**/*.{ts,tsx,mjs}'

/** Modules whose export names the framework or a generator prescribes. */
const PRESCRIBED = /route\.tsx?$|layout\.tsx$|root\.tsx$|database\.types\.ts$/

/** Names with one meaning in several files. */
const SAME_MEANING = new Set([
  // Aliases of shapes that the database types generate.
  'AttentionCounts',
  'BulkResult',
  'CancellationPreview',
  'ClientOverview',
  'CustomerOrder',
  'CustomerOrderEvent',
  'ImportRowReport',
  'Quote',
  'RevenueTotals',
  // JSON that a server function sends and a page reads: pages import no server code.
  'AccountCheck',
  'PublicSettings',
  // One question or action through several front doors.
  'isAdmin',
  'isHandOver',
  'lineTotalCents',
  'placeOrder',
  'queueAccountMail',
  'readOrder',
  'signUp',
  // Test fixtures of separate layers.
  'PASSWORD',
  'popper',
  'putInCart',
  'setStock',
  'test',
])

it('gives each exported name one meaning', () => {
  const filesByName = new Map<string, string[]>()
  for (const file of globSync(CODE, { exclude: ['**/node_modules/**'] })) {
    if (PRESCRIBED.test(file)) continue
    const exported = readFileSync(file, 'utf8').matchAll(
      /^export (?:async )?(?:function|const|interface|type|class) (\w+)/gm,
    )
    const names = new Set(Array.from(exported, ([, name = '']) => name))
    for (const name of names) filesByName.set(name, [...(filesByName.get(name) ?? []), file])
  }

  const repeated = [...filesByName].filter(([name, files]) => files.length > 1 && !SAME_MEANING.has(name))

  expect(repeated).toEqual([])
})
