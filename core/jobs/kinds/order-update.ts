import { orderUpdateRow } from "../../../contract/job-rows.ts"
import { rowOutcomeWords } from "../../../contract/row-outcomes.ts"
import { orderReader } from "../../../contract/program/order.ts"
import { readBody } from "../../validation.ts"
import { DeskFailure } from "../../errors.ts"
import { fillPath } from "../../match.ts"
import { type JobContext, requesterOf } from "../job-context.ts"
import {
  type FoundEffect,
  type KindRules,
  type Lookup,
  neverSentHere,
  type Precheck,
  type RestoredFacts,
} from "../job-kind.ts"
import type { JobRecord, RowRecord } from "../job-store.ts"
import { unnamedSuccess } from "../job-kind.ts"
import { judgeOrder, traceInOrder } from "./judge-order.ts"
import { fieldsOf, isAtTarget, orderFields, wantedOf, type OrderFields } from "./order-fields.ts"
import { readOrderFields } from "./order-read.ts"
import { noteSeenOrders } from "./order-seen.ts"
import { conflictWork, seenBefore, sendingWork, sentBefore } from "./order-work.ts"
import { requirePathId } from "./path-id.ts"
import { refusedRead } from "./refused-read.ts"

/**
 * Changes of orders (docs/api/program.md, Orders). The service has no version of an order, so it is read right before:
 * changed since the person looked is a conflict, what is so already is not sent, and only changed fields are
 * (docs/decisions/0010-orders.md).
 */
export const orderUpdate: KindRules = {
  kind: "order-update",
  api: "program",
  hasPoints: false,
  newRow(raw) {
    const input = readBody(raw, orderUpdateRow)
    const label = input.order_id
    requirePathId("order_id", label)
    return { input, memberId: null, email: null, label, points: null, reason: null, reverses: null }
  },
  prepare: noteSeenOrders,
  precheck: lookBefore,
  request: (_, row) => ({
    operation: "PATCH /orders/{order_id}",
    api: "program",
    method: "PATCH",
    path: fillPath("/orders/{order_id}", { order_id: idOf(row) }),
    body: sentBefore(row).send,
  }),
  readResponse(data, row) {
    const read = orderReader.read(data)
    if (!read.ok || read.value.order_id !== idOf(row)) return undefined
    return isAtTarget(wantedOf(row), fieldsOf(read.value))
      ? { upstreamId: idOf(row), balanceAfter: null }
      : undefined
  },
  // The same order is updated again and again.
  claimScope: undefined,
  claimWhileSent: (row) => ({ scope: "program:order-update", key: row.label ?? "" }),
  lookup: lookAfter,
  absence: "settled",
  // The same values again are no second effect, and each time the order is compared first.
  resends: 3,
  absentCode: "not_changed",
  missingCode: "order_not_found",
  auditChanges(row) {
    const { base } = sentBefore(row)
    const wanted = wantedOf(row)
    return orderFields.flatMap((field) =>
      wanted[field] === undefined ? [] : [{ field, from: base[field] ?? null, to: wanted[field] }],
    )
  },
  topics: ["orders"],
  invalidates: () => ({ gone: [], old: ["orders"] }),
}

function idOf(row: Pick<RowRecord, "input">): string {
  return readBody(row.input, orderUpdateRow).order_id
}

async function lookBefore(context: JobContext, job: JobRecord, row: RowRecord): Promise<Precheck> {
  const wanted = wantedOf(row)
  const seen = seenBefore(row)
  const read = () => readOrderFields(context, requesterOf(job), idOf(row))
  try {
    let now = await read()
    let verdict = judgeOrder({ seen, now, wanted })
    // Before somebody is asked, and where the answer was not whole, a second look.
    if (verdict.kind === "conflict" || now.status === undefined) {
      now = await read()
      verdict = judgeOrder({ seen, now, wanted })
    }
    if (verdict.kind === "go") return { kind: "go", work: sendingWork(now, verdict.send) }
    if (verdict.kind === "done")
      return { kind: "done", done: { upstreamId: idOf(row), balanceAfter: null, work: { base: now } } }
    const outcome = { code: "changed_there", message: rowOutcomeWords.changed_there }
    return { kind: "conflict", outcome, work: await conflictWork(context, row, seen, now) }
  } catch (error) {
    const outcome = refusedRead(error, { code: "order_not_found", message: rowOutcomeWords.order_not_found })
    if (outcome === undefined) throw error
    return { kind: "failed", outcome }
  }
}

/** At its target it was done; as it was read before, it was not; anything else is somebody else's change. */
async function lookAfter(context: JobContext, job: JobRecord, row: RowRecord): Promise<Lookup> {
  const { base, send } = sentBefore(row)
  const wanted = wantedOf(row)
  const read = () => readOrderFields(context, requesterOf(job), idOf(row))
  const restored = neverSentHere(row)
  try {
    if (restored !== undefined) return await lookHeld(context, row, await read(), restored)
    let now = await read()
    let trace = traceInOrder({ base, send, now, wanted })
    if (trace === "changed" || trace === "untold") {
      now = await read()
      trace = traceInOrder({ base, send, now, wanted })
    }
    // It was answered and settled, and not all of it was taken: sending it again by itself would change nothing.
    if (trace === "not_done" && row.endedHow === unnamedSuccess)
      return { kind: "changed", code: "not_taken", work: await conflictWork(context, row, base, now) }
    if (trace === "changed") return { kind: "changed", work: await conflictWork(context, row, base, now) }
    return { kind: "read", complete: trace !== "untold", found: trace === "done" ? [foundAt(row, now)] : [] }
  } catch (error) {
    if (error instanceof DeskFailure && error.code === "not_found") return { kind: "no_record" }
    throw error
  }
}

/**
 * Whether an order shows a change that this store has not sent: it is where it was to be. As it was seen, it was not
 * changed; what nobody saw before cannot be told.
 */
async function lookHeld(
  context: JobContext,
  row: RowRecord,
  now: OrderFields,
  { sample }: RestoredFacts,
): Promise<Lookup> {
  const wanted = wantedOf(row)
  const seen = seenBefore(row)
  const wasSeen = orderFields.every((field) => wanted[field] === undefined || seen[field] !== undefined)
  // Where it was at its target before, that is nobody's doing.
  const isTold = !sample || (wasSeen && !isAtTarget(wanted, seen))
  if (isAtTarget(wanted, now))
    return { kind: "read", complete: true, found: isTold ? [foundAt(row, now)] : [] }
  const verdict = judgeOrder({ seen, now, wanted })
  if (sample || now.status === undefined) return { kind: "read", complete: false, found: [] }
  if (verdict.kind === "conflict")
    return { kind: "changed", work: await conflictWork(context, row, seen, now) }
  if (wasSeen) return { kind: "read", complete: true, found: [] }
  return { kind: "changed", code: "restore_unsure", work: await conflictWork(context, row, seen, now) }
}

function foundAt(row: RowRecord, { status, tracking_number }: OrderFields): FoundEffect {
  return {
    upstreamId: idOf(row),
    createdAt: undefined,
    points: null,
    text: status ?? null,
    reference: tracking_number ?? null,
    tagged: true,
  }
}
