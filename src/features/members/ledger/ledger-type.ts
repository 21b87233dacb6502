import { transactionTypes } from "../../../../contract/program/points.ts"

/** A documented kind of ledger row; undefined for everything else, which the service cannot be asked for. */
export function typeOf(value: string): (typeof transactionTypes)[number] | undefined {
  return transactionTypes.find((type) => type === value)
}
