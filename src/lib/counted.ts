import { formatCount } from "./format.ts"

/**
 * So many of something: `1 order`, `14 orders`.
 * @param more there are at least so many: `100+ orders` (look, Numbers)
 */
export function counted(count: number, noun: string, { more = false }: { more?: boolean } = {}): string {
  return `${formatCount(count)}${more ? "+" : ""} ${count === 1 && !more ? noun : `${noun}s`}`
}
