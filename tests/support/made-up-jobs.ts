import type { JobRecord, NewJob, NewRow } from "../../core/jobs/job-store.ts"

/** Who made a job in a test: the person whom the app kit calls by this name. */
export function makerOf(name: string, role = "manager"): JobRecord["createdBy"] {
  return { id: `usr_${name}`, name, role }
}

let codes = 0

/** A job before it is kept: a running one of awards, sent singly. */
export function madeUpJob(fields: Partial<NewJob> = {}): NewJob {
  codes += 1
  return {
    kind: "award",
    title: null,
    state: "running",
    batchCode: `T${codes}`,
    createdBy: makerOf("ana"),
    mode: "single",
    bulkSize: 100,
    lane: "jobs",
    marked: true,
    file: null,
    reverses: null,
    request: null,
    ...fields,
  }
}

/** A row of awards with everything a person can write. */
export function madeUpRow(fields: Partial<NewRow> = {}): NewRow {
  return {
    input: {
      email: "bo@dealer.test",
      points: 250,
      reason: "Q3 bonus",
      reference: "INV-7",
      metadata: { note: "Bo's own" },
    },
    memberId: "mem_1",
    email: "bo@dealer.test",
    label: "Bo Ek",
    points: 250,
    reason: "Q3 bonus",
    reverses: null,
    ...fields,
  }
}
