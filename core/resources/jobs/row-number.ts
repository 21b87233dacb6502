import { notFound } from "../../errors.ts"

/**
 * The number of a row as an address names it.
 * @throws DeskFailure 404 for what is none
 */
export function rowNumber(text = ""): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound("This job has no row with this number.")
  return Number(text)
}
