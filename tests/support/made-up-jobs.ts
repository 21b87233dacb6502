import type { JobRecord, NewJob, NewRow } from "../../core/jobs/job-store.ts"

/** The creator of a job: the test kit's user of this name. */
export function makerOf(name: string, role = "manager"): JobRecord["createdBy"] {
  return { id: `usr_${name}`, name, role }
}

/** A running award job, sent one row per request, before it is stored. */
export function madeUpJob(fields: Partial<NewJob> = {}): NewJob {
  return {
    kind: "award",
    title: null,
    state: "running",
    createdBy: makerOf("ana"),
    mode: "single",
    bulkSize: 100,
    lane: "jobs",
    hasBatchCode: true,
    file: null,
    reverses: null,
    request: null,
    ...fields,
  }
}

/** An award row with every field that a person can enter. */
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
