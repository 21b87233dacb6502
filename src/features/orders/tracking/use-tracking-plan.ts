import { useMemo } from "react"
import type { ImportSession } from "../../../import/session/import-session.ts"
import { useRewardTypes } from "../order-row.tsx"
import { useOrderLookup, type LookedUpOrders } from "../../../api/order-lookup.ts"
import { carrierOfRow, carrierQuestions, type CarrierQuestion } from "./carrier-of-row.ts"
import { planRow, type PlannedRow } from "./plan-row.ts"
import type { TrackingRow } from "./tracking-row.ts"
import { useMarks } from "./use-marks.ts"
import { useNumbers, type KnownNumbers } from "./use-numbers.ts"
import { useSameTexts } from "./use-same-texts.ts"
import { useTrackingRows } from "./use-tracking-rows.ts"

/** What the file does to the orders, as far as it is known. */
export interface TrackingPlan {
  readonly rows: readonly PlannedRow[]
  /** What a person may say about carriers. */
  readonly questions: readonly CarrierQuestion[]
  readonly numbers: KnownNumbers
  readonly orders: LookedUpOrders
  /** Whether everything that is found out without asking is known. */
  readonly ready: boolean
}

const orderOf = (row: TrackingRow) => row.order_id
const numberOf = (row: TrackingRow) => row.tracking_number
const numberWithoutCarrier = (row: TrackingRow) => (row.carrier === undefined ? row.tracking_number : [])

/** Compares the rows of the file with the orders, recognises carriers, and marks the rows that need a look. */
export function useTrackingPlan(session: ImportSession): TrackingPlan {
  const { rows, settled } = useTrackingRows(session)
  const ids = useSameTexts(rows, orderOf)
  const tracking = useSameTexts(rows, numberOf)
  const without = useSameTexts(rows, numberWithoutCarrier)
  const orders = useOrderLookup(ids)
  const numbers = useNumbers(tracking, without)
  const { types, reading } = useRewardTypes([...orders.orders.values()].map(({ data }) => data))
  useMarks(session, rows, { book: orders, types, used: numbers.used })
  const { recognised, carriers } = numbers
  const known = orders.orders
  const planned = useMemo(() => {
    const byNumber = new Map(recognised.map((each) => [each.number, each]))
    return rows.map((row) => {
      const carrier = carrierOfRow(row, byNumber.get(row.tracking_number), carriers)
      return planRow(row, known.get(row.order_id)?.data, carrier)
    })
  }, [rows, known, recognised, carriers])
  return {
    rows: planned,
    questions: useMemo(() => carrierQuestions(recognised, carriers), [recognised, carriers]),
    numbers,
    orders,
    ready: settled && !orders.reading && !numbers.reading && !reading,
  }
}
