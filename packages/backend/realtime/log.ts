export interface RealtimeLog {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
}
