import { expect, it } from 'vitest'
import { clientCommand } from './client-programs.ts'

it.each([
  ['postgresql://shop:s%40cret@db.example:6432/shop', 'postgresql://shop@db.example:6432/shop'],
  [
    'postgresql://shop:s%40cret@db.example/shop?ssl=true',
    'postgresql://shop@db.example/shop?sslmode=require',
  ],
  [
    'postgresql://shop:s%40cret@db.example/shop?sslmode=no-verify&query_timeout=5&options=-c%20lock_timeout%3D5s',
    'postgresql://shop@db.example/shop?sslmode=require&options=-c lock_timeout=5s',
  ],
  [
    'postgresql://shop:s%40cret@db.example/shop?sslmode=verify-full&sslrootcert=/etc/ca.pem&uselibpqcompat=true',
    'postgresql://shop@db.example/shop?sslmode=verify-full&sslrootcert=/etc/ca.pem',
  ],
])('hides the password of %s from the list of processes, and leaves out what libpq refuses', (url, shown) => {
  const { args, env } = clientCommand('pg_dump', ['--format=custom'], url)

  expect(args.map((arg) => decodeURIComponent(arg))).toEqual([
    '--format=custom',
    '--no-password',
    `--dbname=${shown}`,
  ])
  expect(env?.PGPASSWORD).toBe('s@cret')
})
