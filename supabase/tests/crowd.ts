import { DatabaseError } from 'pg'
import { inTransaction } from '@saltfreak/backend'
import { openDatabase } from '@saltfreak/backend/testing'
import { aCustomer, type Line, place, type Placing, putInCart, type UserClaims } from './shopping.ts'
import { refusalOf, type TestTransaction, sqlOn, test as shopTest } from './sql.ts'

/** The number of connections. Each person has one, and commits. */
const AT_ONCE = 25

export interface Crowd {
  /** As the shop's own process, committed. */
  shop<T>(work: (sql: TestTransaction) => Promise<T>): Promise<T>
  /** As one person, committed. Returns the reason instead of a result when it is refused. */
  person<T>(who: UserClaims, work: (sql: TestTransaction) => Promise<T>): Promise<T | string>
}

export const test = shopTest.extend<{ crowd: Crowd }>({
  // For all tests of a file: each new connection makes the plans of all statements anew.
  crowd: [
    async ({ shop }, use) => {
      const connections = openDatabase(shop.url, { ownerConnections: AT_ONCE })
      const pool = connections.owner
      // More people than connections: on a slow machine the last of them wait longer than the shop would.
      pool.options.connectionTimeoutMillis = 0
      await use({
        shop: (work) => inTransaction(pool, (client) => work(sqlOn(client))),
        person: (who, work) =>
          inTransaction(pool, async (client) => {
            const sql = sqlOn(client)
            await sql.as(who)
            return work(sql)
          }).catch((error: unknown) => {
            if (error instanceof DatabaseError && error.code?.startsWith('PT'))
              return String(refusalOf(error).reason)
            throw error
          }),
      })
      await connections.close()
    },
    { scope: 'file' },
  ],
})

export function customers(crowd: Crowd, count: number): Promise<UserClaims[]> {
  return crowd.shop(async (sql) => {
    const people: UserClaims[] = []
    while (people.length < count) people.push(await aCustomer(sql))
    return people
  })
}

export function withCart(
  crowd: Crowd,
  people: UserClaims[],
  lines: (person: number) => Line[],
): Promise<unknown> {
  return Promise.all(
    people.map((who, i) =>
      crowd.person(who, async (sql) => {
        for (const line of lines(i)) await putInCart(sql, line)
      }),
    ),
  )
}

/** Each buyer has their own address and phone number, so that limits per customer do not apply. */
export function orderAs(i: number, wanted: Placing) {
  const phone = `08${String(20_000_000 + i)}`
  return (sql: TestTransaction) =>
    place(sql, {
      ...wanted,
      delivery: {
        full_name: 'Buyer',
        email: `buyer${i}@example.com`,
        phone,
        address: '14 Beach Road',
        city: 'Durban',
        state: 'KwaZulu-Natal',
        zip_code: '4001',
        shipping_method: 'door-to-door',
      },
    })
}

/** How many statements wait for a lock in this database. */
export const WAITING = `select count(*)::int from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`
