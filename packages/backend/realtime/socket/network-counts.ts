/** A number for each network address. */
export class NetworkCounts {
  readonly #counts = new Map<string, number>()

  of(network: string): number {
    return this.#counts.get(network) ?? 0
  }

  add(network: string, change: number): void {
    const count = this.of(network) + change
    if (count > 0) this.#counts.set(network, count)
    else this.#counts.delete(network)
  }
}
