import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { postgresUrl, startPostgres, startSwift, whyWithoutS3Server } from '@saltfreak/backend/testing'
import { createClient } from '@supabase/supabase-js'
import { Client } from 'pg'
import { type RunningShop, runUntilExit, startShop } from '#test/running-shop.ts'

/** Returns the paths of all pictures and films. */
async function pathsOf(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `select bucket_id || '/' || name as path from storage.objects where bucket_id in ('catalogue', 'site')`,
  )
  await client.end()
  return rows.map(({ path }) => String(path))
}

/** Uploads a file that is no part of the program. */
async function uploadPicture(shop: RunningShop): Promise<void> {
  const { storage } = createClient(shop.url, (await shop.keys()).secret, { auth: { persistSession: false } })
  const picture = await readFile(join(import.meta.dirname, '../../assets/og/og-background.jpg'))
  const { error } = await storage.from('site').upload('uploaded.jpg', picture, { contentType: 'image/jpeg' })
  if (error) throw error
}

async function countShown({ url }: RunningShop, paths: string[]): Promise<number> {
  let shown = 0
  for (const path of paths) {
    // oxlint-disable-next-line no-await-in-loop -- one picture after the other
    const answer = await fetch(`${url}/storage/v1/object/public/${path}`)
    const bytes = await answer.bytes()
    if (answer.status === 200 && bytes.length === Number(answer.headers.get('content-length'))) shown += 1
  }
  return shown
}

test(
  'two machines with empty data folders show every picture from S3 after each restart, back it up and move it to a disk',
  { tag: '@long' },
  async () => {
    test.skip(whyWithoutS3Server() !== null, whyWithoutS3Server() ?? '')
    test.setTimeout(300_000)
    const folder = await mkdtemp(join(tmpdir(), 'shop-s3-'))
    const server = await startSwift()
    const s3 = await server.createS3Bucket()
    const postgres = await startPostgres(join(folder, 'database'), { durable: false })
    const databaseUrl = postgresUrl(postgres, 'supabase_admin')
    const env = {
      DATABASE_URL: databaseUrl,
      S3_BUCKET: s3.bucket,
      S3_ENDPOINT: s3.endpoint ?? '',
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    }
    let one = await startShop(env)
    let other = await startShop(env)
    const paths = await pathsOf(databaseUrl)
    expect(paths.length).toBeGreaterThanOrEqual(40)
    const countBoth = async () => [await countShown(one, paths), await countShown(other, paths)]

    expect(await countBoth()).toEqual([paths.length, paths.length])
    await one.stop()
    one = await startShop(env)
    expect(await countBoth()).toEqual([paths.length, paths.length])
    await other.stop()
    other = await startShop(env)
    expect(await countBoth()).toEqual([paths.length, paths.length])
    expect((await readdir(join(one.dataDir, 'storage'), { recursive: true })).filter(isPicture)).toEqual([])

    const dataDir = join(folder, 'data')
    const run = (program: string, args: string[], changes = {}) =>
      runUntilExit({ ...env, ...changes, DATA_DIR: dataDir }, { program: `scripts/${program}.ts`, args })
    const moved = await run('move', ['files', 'disk'])
    expect(moved.output).toContain(`Copied ${paths.length} files to ${dataDir}; 0 were there already.`)
    const again = await run('move', ['files', 's3'])
    expect(again.output).toContain(
      `Copied 0 files to the bucket ${s3.bucket}; ${paths.length} were there already.`,
    )
    const backup = await run('backup', [join(folder, 'backups')])
    expect(backup.output).toContain(`and ${paths.length} files of the bucket ${s3.bucket} to`)

    await uploadPicture(one)
    const forgotten = await startShop({ DATABASE_URL: databaseUrl })
    await expect
      .poll(() => forgotten.output())
      .toMatch(
        /"files":1,"msg":"files of the shop are missing in .*: if they are in a bucket, npm run move -- files disk/,
      )
    await forgotten.stop()

    const wrong = await run('move', ['files', 's3'], { AWS_SECRET_ACCESS_KEY: 'wrong' })
    expect(wrong).toEqual({
      code: 1,
      output: `the S3 server ${s3.endpoint} refuses the signature: check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION\n`,
    })
    await Promise.all([one.stop(), other.stop()])
    await server.stop()
    await postgres.stop()
    await rm(folder, { recursive: true })
  },
)

test(
  'a browser gets the pictures of the shop from the bucket by signed addresses, also through the service worker',
  { tag: '@long' },
  async ({ browser }) => {
    test.skip(whyWithoutS3Server() !== null, whyWithoutS3Server() ?? '')
    test.setTimeout(180_000)
    const server = await startSwift()
    const s3 = await server.createS3Bucket()
    const shop = await startShop({
      S3_BUCKET: s3.bucket,
      S3_ENDPOINT: s3.endpoint ?? '',
      S3_PUBLIC_FILES: 'signed',
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    })
    const context = await browser.newContext({ serviceWorkers: 'allow' })
    const page = await context.newPage()
    const refusals: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) refusals.push(message.text())
    })
    const fromBucket = new Set<string>()
    context.on('response', (response) => {
      if (response.url().startsWith(`${s3.endpoint}/${s3.bucket}/derivatives/`))
        fromBucket.add(new URL(response.url()).pathname)
    })
    const unseen = () =>
      page.evaluate(() =>
        Array.from(document.querySelectorAll('main img'))
          .filter((image) => image instanceof HTMLImageElement && image.loading !== 'lazy')
          .map((image) =>
            image instanceof HTMLImageElement && image.naturalWidth > 0 ? null : image.outerHTML,
          )
          .filter(Boolean),
      )

    for (const visit of ['first', 'through the service worker']) {
      // oxlint-disable no-await-in-loop -- one visit after the other
      await test.step(`a ${visit} visit`, async () => {
        fromBucket.clear()
        await page.goto(`${shop.url}/products`)
        await expect(page.locator('main img').first()).toBeVisible()
        await expect.poll(unseen).toEqual([])
        expect(fromBucket.size).toBeGreaterThan(0)
        await expect.poll(() => page.evaluate(() => Boolean(navigator.serviceWorker.controller))).toBe(true)
      })
      // oxlint-enable no-await-in-loop
    }
    expect(refusals).toEqual([])
    await context.close()
    await shop.stop()
    await server.stop()
  },
)

function isPicture(name: string): boolean {
  return /objects\/..\//.test(name)
}
