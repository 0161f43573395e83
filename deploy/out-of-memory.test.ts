import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const readUnit = (name: string) => readFile(join(import.meta.dirname, 'systemd', name), 'utf8')

it.for(['saltfreak@.service', 'saltfreak-database.service'])(
  '%s keeps its other processes when the kernel kills one of them for want of memory',
  async (name) => {
    expect(await readUnit(name)).toMatch(/^OOMPolicy=continue$/m)
  },
)

it('the kernel kills a process of the shop for want of memory before one of the database', async () => {
  expect(await readUnit('saltfreak-database.service')).toMatch(/^OOMScoreAdjust=-\d+$/m)
  expect(await readUnit('saltfreak@.service')).not.toContain('OOMScoreAdjust')
})
