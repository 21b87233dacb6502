import { type Job, pauseCodes } from "../../../../../contract/job.ts"
import type { JobRow } from "../../../../../contract/job-rows.ts"
import type { ParcelQuestion } from "./parcel.ts"

/** What a parcel's job says about it. */
export type RowNews =
  /** On its way, looked up, or waiting for its turn. */
  | { readonly type: "under-way" }
  /** It could not be sent for a minute and waits for a word. */
  | { readonly type: "late" }
  /** Its job stands still for a reason that meets every other parcel too. */
  | { readonly type: "stopped"; readonly message: string }
  | { readonly type: "confirmed" }
  /** A person settled it on the job's page. */
  | { readonly type: "dealt-with" }
  | { readonly type: "asks"; readonly question: ParcelQuestion }

/** Reads how a parcel stands from its job (docs/decisions/0002-money.md, rows and their states). */
export function readRow(job: Job, row: JobRow | undefined): RowNews {
  if (row === undefined) return { type: "under-way" }
  switch (row.state) {
    case "confirmed":
      return { type: "confirmed" }
    case "failed":
    case "absent":
    case "conflict":
      return settledOrAsks(row, row.state)
    case "planned":
      return plannedNews(job)
    default:
      return { type: "under-way" }
  }
}

function settledOrAsks({ decision, outcome }: JobRow, kind: "failed" | "absent" | "conflict"): RowNews {
  if (decision?.decision === "happened") return { type: "confirmed" }
  if (decision?.decision === "leave") return { type: "dealt-with" }
  return {
    type: "asks",
    question: {
      kind,
      code: outcome?.code ?? kind,
      message: outcome?.message ?? "Decision needed.",
    },
  }
}

function plannedNews({ state, pause }: Job): RowNews {
  if (state === "cancelled" || state === "cancelling") {
    const message = "Its job was cancelled before it was sent. Nothing was changed."
    return { type: "asks", question: { kind: "cancelled", code: "cancelled", message } }
  }
  if (state !== "paused") return { type: "under-way" }
  if (pause?.code === pauseCodes.notSentInTime) return { type: "late" }
  return { type: "stopped", message: pause?.message ?? "Its job is paused." }
}
