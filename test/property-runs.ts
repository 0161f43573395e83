/** How many cases a property is tried with; `PROPERTY_RUNS=20000 vitest run --testTimeout 600000 …` tries more for once. */
export function runs(usual: number): { numRuns: number } {
  return { numRuns: Number(process.env.PROPERTY_RUNS ?? usual) }
}
