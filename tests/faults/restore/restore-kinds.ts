import type { CreateJobBody } from "../../../contract/job.ts"
import type { JobKind } from "../../../contract/job-kinds.ts"
import type { JobRecord, RowRecord } from "../../../core/jobs/job-store.ts"
import type { Sandbox } from "../../../sandbox/app.ts"
import { countedRecord } from "../counted-job.ts"
import { fiveCounts } from "../five-counts.ts"
import {
  awardRows,
  copyMembers,
  deductRows,
  memberUpdateRows,
  missedMembers,
  newMemberRows,
} from "../made-up-rows.ts"
import { countRedemptions, redeemRows } from "../orders/redeem-rows.ts"
import { missedOrders, trackingRows } from "../orders/tracking-rows.ts"
import type { Random } from "../random.ts"

/** Kinds of jobs that run during the backup. */
export const restoreKinds = [
  "award-single",
  "award-bulk",
  "deduct",
  "redeem",
  "order-update",
  "member-create",
  "member-update",
  "giftcard",
] as const
/** A kind of job that runs during the backup. */
export type RestoreKind = (typeof restoreKinds)[number]

/** A job and its check against the service's ledger: a sentence for each mistake. */
export interface RestoreJob {
  readonly body: CreateJobBody
  readonly mistakes: (job: JobRecord, rows: readonly RowRecord[]) => readonly string[]
  /** Id of the row's effect in the ledger. */
  readonly doneFor: (row: RowRecord) => string | undefined
}

/** Creates a job of `count` rows. */
export function restoreJob(kind: RestoreKind, sandbox: Sandbox, count: number, random: Random): RestoreJob {
  const { store } = sandbox
  const before = structuredClone(store.orders.all)
  const make = (of: JobKind, rows: readonly object[], options: CreateJobBody["options"] = {}) => ({
    kind: of,
    rows: [...rows],
    options,
  })
  const ledger = (of: JobKind, rows: readonly object[], options?: CreateJobBody["options"]): RestoreJob => ({
    body: make(of, rows, options),
    mistakes: (job, all) => {
      const { L, D, P, W, notes } = fiveCounts(store.ledger, [countedRecord(job, all)])
      return L + D + P + W === 0 ? [] : notes
    },
    doneFor: (row) =>
      store.ledger.find(
        (effect) =>
          (effect.kind === "award" || effect.kind === "deduct") &&
          effect.memberId === row.memberId &&
          effect.points === row.points,
      )?.id,
  })
  switch (kind) {
    case "award-single":
      return ledger("award", awardRows(sandbox, count, random, { byEmail: 0.2, referenced: 0.2 }), {
        mode: "single",
      })
    case "award-bulk":
      return ledger("award", awardRows(sandbox, count, random, { byEmail: 0.2 }), {
        mode: "bulk",
        bulk_size: Math.max(2, Math.floor(count / 8)),
      })
    case "deduct":
      return ledger("deduct", deductRows(sandbox, count, random))
    case "member-create": {
      const rows = newMemberRows(sandbox, count * 2, random).filter(({ email }) => email.startsWith("new."))
      return {
        ...ledger("member-create", rows.slice(0, count)),
        doneFor: (row) =>
          store.ledger.find((effect) => effect.kind === "member-create" && effect.email === row.email)?.id,
      }
    }
    case "member-update": {
      const members = copyMembers(sandbox)
      const rows = memberUpdateRows(sandbox, count, random, { expected: 1 })
      return {
        body: make("member-update", rows),
        mistakes: () => missedMembers(sandbox, members, rows),
        doneFor: (row) =>
          store.ledger.find((effect) => effect.kind === "member-update" && effect.id === row.memberId)?.id,
      }
    }
    case "redeem":
      return {
        body: make("redeem", redeemRows(sandbox, count, 2)),
        mistakes: (_, rows) => countRedemptions(sandbox, rows).notes,
        doneFor: (row) =>
          store.ledger.find(
            (effect) =>
              effect.kind === "redeem" &&
              effect.memberId === row.input["member_id"] &&
              effect.rewardId === row.input["reward_id"],
          )?.id,
      }
    case "order-update": {
      const rows = trackingRows(before, count, random)
      return {
        body: make("order-update", rows),
        mistakes: () => missedOrders(sandbox, before, rows),
        doneFor: (row) =>
          store.ledger.find((effect) => effect.kind === "order-update" && effect.id === row.label)?.id,
      }
    }
    default: {
      const rows = Array.from({ length: count }, (_, at) => ({
        member: { email: `card.${at}@outback.example`, firstname: "Noa", lastname: `Card ${at}` },
        denomination: 25,
        cardId: "card_tradevisa",
        ...(at % 3 === 0 && { externalRef: `OWN-${at}` }),
      }))
      return {
        body: make("giftcard", rows),
        mistakes: (_, all) => cardMistakes(sandbox, all),
        doneFor: () => undefined,
      }
    }
  }
}

function cardMistakes(sandbox: Sandbox, rows: readonly RowRecord[]): string[] {
  const cards = sandbox.store.ledger.filter((effect) => effect.kind === "card").map(({ id }) => id)
  const made = new Set(cards)
  const known = new Set(rows.map(({ upstreamId }) => upstreamId))
  return [
    ...cards.filter((id) => !known.has(id)).map((id) => `D or P: ${id} has no row`),
    ...rows
      .filter(({ state, upstreamId }) => state !== "confirmed" || !made.has(upstreamId ?? ""))
      .map(({ row, state }) => `L: row ${row} is ${state} without its card`),
  ]
}
