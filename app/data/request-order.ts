/**
 * For requests of the same data that may overlap. Call the returned function before each of them; it returns a function that tells, once
 * the answer has come, whether it counts: false when a later request was answered before.
 */
export function requestOrder(): () => () => boolean {
  let asked = 0
  let answered = 0
  return () => {
    asked += 1
    const request = asked
    return () => {
      if (request < answered) return false
      answered = request
      return true
    }
  }
}
