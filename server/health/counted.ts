/** `1 e-mail`, `3 e-mails`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
