import { expect, it } from 'vitest'
import { runUntilExit } from '#test/running-shop.ts'

const restore = (at: string) =>
  runUntilExit(
    {},
    { program: 'scripts/restore.ts', args: ['/nowhere', '--into', '/nowhere/copy', '--at', at] },
  )

it.each(['2026-11-23T19:30', '2026-11-23', 'noon'])(
  'refuses to restore the moment %s without a time zone, which would be hours off',
  async (at) => {
    expect(await restore(at)).toEqual({
      code: 1,
      output: `--at must be a time like 2026-11-23T19:30:00+02:00, not "${at}"\n`,
    })
  },
)

it.each(['2026-11-23T19:30+02:00', '2026-11-23T17:30:00.000Z', '2026-11-23T19:30:00.123456+0200'])(
  'takes the moment %s, which has a time zone',
  async (at) => {
    expect((await restore(at)).output).toContain('/nowhere holds no backup')
  },
)
