import { orderUpdateRow, seenOrder } from "../../../contract/job-rows.ts"
import { readBody } from "../../validation.ts"
import type { JobContext } from "../job-context.ts"
import type { RowRecord } from "../job-store.ts"
import { orderFields, seenFields, wantedOf, type OrderFields } from "./order-fields.ts"

type Work = RowRecord["work"]

function part(work: Work, name: string): OrderFields | undefined {
  const read = seenOrder.safeParse(work?.[name])
  return read.success ? seenFields(read.data) : undefined
}

/** What was read before the last sending, and what was sent then. */
export function sentBefore({ work }: Pick<RowRecord, "work">): {
  readonly base: OrderFields
  readonly send: OrderFields
} {
  return { base: part(work, "base") ?? {}, send: part(work, "send") ?? {} }
}

/**
 * What an order has to be like for the row to go out: as the person saw it who decided a conflict, else as it was read
 * before an earlier attempt, else as the maker of the row saw it, else as it was when the job began.
 */
export function seenBefore(row: Pick<RowRecord, "input" | "work">): OrderFields {
  const { expected } = readBody(row.input, orderUpdateRow)
  return (
    part(row.work, "theirs") ??
    part(row.work, "base") ??
    (expected === undefined ? undefined : seenFields(expected)) ??
    part(row.work, "seen") ??
    {}
  )
}

/** Kept with the intent to send: what was read, and what goes out. An earlier conflict is over. */
export function sendingWork(base: OrderFields, send: OrderFields): Work {
  return { base, send, before: null, theirs: null, yours: null }
}

/**
 * Kept beside a conflict: its three sides, and who made the other change as far as the audit log shows it. What comes
 * next is compared with `theirs`.
 */
export async function conflictWork(
  { store }: Pick<JobContext, "store">,
  row: Pick<RowRecord, "input">,
  before: OrderFields,
  theirs: OrderFields,
): Promise<Work> {
  const id = readBody(row.input, orderUpdateRow).order_id
  const query = { kind: "order", id, action: "order.update", outcome: "done", per_page: 1 } as const
  const [last] = await store.audit.list(query, {})
  const changed = orderFields.filter((field) => (before[field] ?? "") !== (theirs[field] ?? ""))
  // Named only where that entry explains every difference: the service may have been changed from elsewhere since.
  const explains = changed.every((changedField) =>
    last?.changes.some(
      ({ field, to }) => field === changedField && (to ?? "") === (theirs[changedField] ?? ""),
    ),
  )
  const changed_by = last !== undefined && explains ? { name: last.actor.name, at: last.at } : null
  return { base: null, send: null, before, theirs, yours: wantedOf(row), changed_by }
}
