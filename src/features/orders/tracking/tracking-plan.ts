import { keepPreviousData, useQueries, useQuery, type UseQueryResult } from "@tanstack/react-query"
import { useEffect, useMemo, useRef } from "react"
import * as z from "zod/mini"
import {
  type Carrier,
  plainNumber,
  type Recognised,
  identifiesCarrier,
  type UsedNumbers,
} from "../../../../contract/orders.ts"
import type { OrderUpdateRow } from "../../../../contract/kinds/order-update.ts"
import { limits } from "../../../../contract/limits.ts"
import { orderStatuses, shipmentOf, type Order } from "../../../../contract/program/order.ts"
import { carriersQuery, recogniseQuery, usedNumbersQuery } from "../../../api/orders.ts"
import { requestParts } from "../../../api/paging.ts"
import type { ImportSession } from "../../../import/import-session.ts"
import type { Mark } from "../../../import/sheet-view.ts"
import {
  expectedFields,
  isCancelled,
  isDigital,
  rewardTypeFor,
  useRewardTypes,
  type RewardTypes,
} from "../order-row.tsx"
import { type LookedUpOrders, useOrderLookup } from "../../../api/order-lookup.ts"
import { formatCount, listed } from "../../../lib/format.ts"
import { isShortForm } from "../../../lib/order-ids.ts"
import { sameValue } from "../../../lib/same-value.ts"

const acceptedRow = z.object({
  order_id: z.string(),
  tracking_number: z.string(),
  carrier: z.optional(z.string()),
  status: z.optional(z.enum(orderStatuses)),
})

type TrackingRow = z.output<typeof acceptedRow> & { readonly number: number }

/** The planned change of an order: `before` is missing if the order was not read, so it is compared when sent. */
export type PlannedRow = ReturnType<typeof planRow>

export type TrackingPlan = ReturnType<typeof useTrackingPlan>

/**
 * Compares the rows of the file with the orders, recognises carriers, and marks the rows that need a confirmation.
 */
export function useTrackingPlan(session: ImportSession) {
  const { state, read } = session
  const isOpen = state.phase === "ready"
  const { data, isPlaceholderData } = useQuery({
    queryKey: ["tracking-rows", state.key, state.revision],
    queryFn: async () =>
      (await read((sheet) => sheet.accepted(0, limits.jobRows))).map(({ number, row }): TrackingRow => ({
        number,
        ...acceptedRow.parse(row),
      })),
    enabled: isOpen && !state.busy,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const rows = (isOpen && data) || noRows
  const orders = useOrderLookup(useDistinct(rows.map((row) => row.order_id)))
  const numbers = useNumbers(useDistinct(rows.map((row) => row.tracking_number)))
  const { types, reading } = useRewardTypes([...orders.orders.values()].map((order) => order.data))
  useMarks(session, rows, orders, types, numbers.used)
  const { recognised, carriers } = numbers
  const known = orders.orders
  const planned = useMemo(() => {
    const byNumber = new Map(recognised.map((each) => [each.number, each]))
    const sure = rows.filter((row) => !isUnresolved(row.order_id, known))
    const byOrder = Map.groupBy(sure, (row) => orderIdOf(row, known))
    return [...byOrder].flatMap(([orderId, [row, ...others]]) => {
      if (row === undefined) return []
      const found = byNumber.get(row.tracking_number)
      const sent = { ...row, tracking_number: withoutBlanks(row.tracking_number, found) }
      return planRow(
        sent,
        others,
        orderId,
        known.get(row.order_id)?.data,
        carrierForRow(row, found, carriers),
      )
    })
  }, [rows, known, recognised, carriers])
  const isCurrent = data !== undefined && !isPlaceholderData && !state.busy
  return {
    rows: planned,
    questions: useMemo(() => {
      const said = new Set(rows.flatMap((row) => (row.carrier === undefined ? [] : row.tracking_number)))
      return carrierQuestions(
        recognised.filter(({ number }) => !said.has(number)),
        carriers,
      )
    }, [rows, recognised, carriers]),
    numbers,
    orders,
    /** Whether all automatic lookups are done. */
    ready: isCurrent && !orders.reading && !numbers.reading && !reading,
  }
}

const noRows: readonly TrackingRow[] = []

/** The distinct texts, as the same array while they are equal. */
function useDistinct(texts: readonly string[]): readonly string[] {
  const key = [...new Set(texts)].join("\0")
  return useMemo(() => (key === "" ? [] : key.split("\0")), [key])
}

/** Statuses after which an order is not moved back, unless the file has a status. */
const sentStatuses = new Set(["shipped", "completed"])

/** Whether a text is a short form (`#20411`) that was not looked up: it matches no order yet and is not sent. */
export function isUnresolved(text: string, known: LookedUpOrders["orders"]): boolean {
  const [example] = known.values()
  return !known.has(text) && isShortForm(text, example?.data.order_id)
}

/** The id of a row's order: the file may have a short form of it. */
const orderIdOf = ({ order_id: text }: TrackingRow, known: LookedUpOrders["orders"]) =>
  known.get(text)?.data.order_id ?? text

/** A recognised number without its printed blanks; in other numbers they may be significant. */
function withoutBlanks(number: string, recognised: Recognised | undefined): string {
  const isSure = recognised?.chosen != null
  return isSure ? number.replaceAll(/\s/g, "") : number
}

/** Plans the change of one order: the number of its first row, and those of `others` as a note. */
function planRow(
  row: TrackingRow,
  others: readonly TrackingRow[],
  orderId: string,
  order: Order | undefined,
  carrier: string | undefined,
) {
  const before = order && expectedFields(order)
  const stays = row.status === undefined && sentStatuses.has(before?.status?.toLowerCase() ?? "")
  const now = before?.tracking_number ?? ""
  const isOther = before !== undefined && now !== "" && plainNumber(now) !== plainNumber(row.tracking_number)
  const after: Pick<OrderUpdateRow, "status" | "carrier"> & { tracking_number: string } = {
    ...(stays ? {} : { status: row.status ?? "shipped" }),
    tracking_number: row.tracking_number,
    // Another number clears the previous carrier.
    ...(carrier === undefined ? isOther && before.carrier && { carrier: "" } : { carrier }),
  }
  const isSame = before !== undefined && sameValue(before, { ...before, ...after })
  const also = others.map((each) => each.tracking_number).slice(0, limits.otherParcels)
  return { row, others, orderId, also, before, after, isSame: isSame && also.length === 0 }
}

/**
 * The job's row with the expected values from the preview: a change since becomes a conflict. For an unread order
 * only this is expected: no other number.
 */
export function jobRow({ orderId: order_id, before, after, also }: PlannedRow): OrderUpdateRow {
  const expected = before ?? { tracking_number: null }
  return { order_id, ...after, ...(also.length > 0 && { also }), expected }
}

export function isReplaced({ before, after }: PlannedRow): boolean {
  const now = before?.tracking_number ?? ""
  return now !== "" && plainNumber(now) !== plainNumber(after.tracking_number)
}

/** The carrier's name for a row: the file's, matched by name or code, otherwise the number's. */
function carrierForRow(
  { carrier }: TrackingRow,
  recognised: Recognised | undefined,
  carriers: readonly Carrier[],
) {
  if (carrier === undefined) return carriers.find(({ code }) => code === recognised?.chosen)?.name
  const written = plainNumber(carrier)
  const found = carriers.find(({ code, name }) => [code, name].some((each) => plainNumber(each) === written))
  return found?.name ?? carrier
}

const sharedPrefix = 4

/** Carrier questions, one per prefix and length of numbers (docs/orders.md, Carriers), most frequent first. */
function carrierQuestions(recognised: readonly Recognised[], carriers: readonly Carrier[]) {
  const offered = carriers.filter((each) => each.offered).map(({ code }) => code)
  const open = recognised.filter(({ number, chosen }) => chosen === null && identifiesCarrier(number))
  const shapes = Map.groupBy(open, ({ number }) => {
    const plain = plainNumber(number)
    return `${plain.slice(0, sharedPrefix)}/${plain.length}`
  })
  return [...shapes.values()]
    .flatMap(([first, ...others]) => {
      if (first === undefined) return []
      // Codes, likeliest first; all offered ones when none is likely.
      const choices = first.carriers.length > 0 ? first.carriers : offered
      return [{ example: first.number, count: others.length + 1, carriers: choices }]
    })
    .toSorted((one, other) => other.count - one.count)
}

const noCarriers: readonly Carrier[] = []

function useNumbers(numbers: readonly string[]) {
  const settings = useQuery(carriersQuery)
  const recognitions = useQueries({
    queries: requestParts(numbers, limits.numbersAtOnce).map((part) => recogniseQuery(part)),
    combine: (results) => combined(results, (data) => data),
  })
  const uses = useQueries({
    queries: requestParts(numbers, limits.numbersAtOnce).map((part) => ({
      ...usedNumbersQuery(part),
      staleTime: 60_000,
    })),
    combine: (results) => combined(results, ({ used }) => used),
  })
  return {
    carriers: settings.data?.carriers ?? noCarriers,
    recognised: recognitions.found,
    used: uses.found,
    reading: settings.isLoading || recognitions.reading || uses.reading,
    error: settings.error ?? recognitions.error ?? uses.error,
    retry: () => {
      if (settings.error !== null) void settings.refetch()
      recognitions.retry()
      uses.retry()
    },
  }
}

function combined<T, E>(results: readonly UseQueryResult<T>[], listOf: (data: T) => readonly E[]) {
  return {
    found: results.flatMap(({ data }) => (data === undefined ? [] : listOf(data))),
    reading: results.some(({ isLoading }) => isLoading),
    error: results.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const each of results) if (each.error !== null) void each.refetch()
    },
  }
}

/** Sets marks that need the orders on the rows of the sheet, once per row content. */
function useMarks(
  { change }: ImportSession,
  rows: readonly TrackingRow[],
  { orders, missing, several }: Pick<LookedUpOrders, "orders" | "missing" | "several">,
  types: RewardTypes,
  used: UsedNumbers["used"],
): void {
  const markedRows = useRef(new Map<number, string>())
  useEffect(() => {
    // Another file: its rows are unmarked.
    if (rows.length === 0) markedRows.current.clear()
    const byOrder = Map.groupBy(rows, (row) => orderIdOf(row, orders))
    const fresh = rows.flatMap((row) => {
      const isMissing = missing.has(row.order_id)
      const fitting = several.get(row.order_id)
      const first = byOrder.get(orderIdOf(row, orders))?.[0]
      const marks = [
        ...findMarks(row, isMissing ? null : orders.get(row.order_id)?.data, types, used),
        ...(fitting === undefined ? [] : [severalMark(row, fitting)]),
        ...(first === undefined || first.order_id === row.order_id ? [] : [sameOrderMark(row, first)]),
      ]
      const key = JSON.stringify([row.order_id, row.tracking_number, marks])
      if (markedRows.current.get(row.number) === key) return []
      markedRows.current.set(row.number, key)
      return marks
    })
    if (fresh.length > 0) void change((sheet) => sheet.mark(fresh))
  }, [change, rows, orders, missing, several, types, used])
}

function severalMark({ number }: TrackingRow, fitting: readonly string[]): Mark {
  const text = `Fits ${listed(fitting.slice(0, 3))}: enter the whole id`
  return { number, field: "order_id", severity: "problem", text }
}

/** The mark of a row for the same order as an earlier row, in another spelling. */
function sameOrderMark({ number }: TrackingRow, first: TrackingRow): Mark {
  const text = `The order of row ${formatCount(first.number)}: keep this number as a note?`
  return { number, field: "order_id", severity: "check", text }
}

// Marks of a row that need the orders (null: no such order; undefined: not read). A missing order excludes the row;
// other marks exclude it until confirmed.
function findMarks(
  { number, order_id: id, tracking_number: tracking }: TrackingRow,
  order: Order | null | undefined,
  types: RewardTypes,
  used: UsedNumbers["used"],
): Mark[] {
  if (order === null) {
    const ambiguous = /^\d+$/.test(id) ? "Enter the whole id, with the letters before its number" : undefined
    return [
      { number, field: "order_id", severity: "problem", text: ambiguous ?? "The service has no such order" },
    ]
  }
  const now = order && shipmentOf(order).tracking_number
  const isOther = now !== undefined && plainNumber(now) !== plainNumber(tracking)
  const other = used.find((each) => each.number === tracking && each.order_id !== (order?.order_id ?? id))
  return [
    ["order_id", isCancelled(order?.status) && "Cancelled"] as const,
    ["order_id", order && isDigital(rewardTypeFor(order, types)) && "Digital code: nothing to ship"] as const,
    ["tracking_number", isOther && `Has ${now} now, which will be replaced`] as const,
    ["tracking_number", other && `Already on order ${other.order_id}`] as const,
  ].flatMap(([field, text]) => (text ? [{ number, field, severity: "check", text }] : []))
}
