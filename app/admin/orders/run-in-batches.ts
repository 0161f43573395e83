/** The database functions accept at most this many ids in one call. */
const BATCH_SIZE = 500

/** Calls `act` with at most 500 orders at a time, sequentially. When a call throws, the earlier batches stay done. */
export async function runInBatches<Order, Result>(
  orders: Order[],
  act: (orders: Order[]) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let first = 0; first < orders.length; first += BATCH_SIZE) {
    // oxlint-disable-next-line no-await-in-loop -- one batch at a time
    results.push(await act(orders.slice(first, first + BATCH_SIZE)))
  }
  return results
}
