import { describe, expect, test } from "vitest"
import { rowOutcome, type RowOutcomeCode } from "../../contract/row-outcomes.ts"
import { jobOf, rowOf } from "../../tests/support/job-records.ts"
import type { HistoryState } from "./absence.ts"
import type { FoundEffect, Lookup } from "./job-kind.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import { decideFromEvidence, type Decision, type Evidence, nextUsefulLookup } from "./reconcile-decision.ts"

// Each rule of docs/jobs.md, Absence, and docs/restore.md, What follows, in one case.

const now = 100_000

const history = (canary: HistoryState["canary"], lagMs = 0): HistoryState => ({
  canary,
  lagMs,
  seenLagMs: 0,
})

const none = history("none")
const notYet = history("not-yet")

const effect = (upstreamId: string, over: Partial<FoundEffect> = {}): FoundEffect => ({
  upstreamId,
  tagged: true,
  ...over,
})

/** A settled row: its call ended long ago, and an earlier lookup found nothing either. */
const settled = rowOf({
  state: "unknown",
  attempts: 1,
  hadUnknownAttempt: true,
  sentAt: 89_000,
  endedAt: 90_000,
  lookupTimes: [95_000, 97_000],
  notes: { empty_at: 95_000 },
})
const withRow = (over: Partial<RowRecord>) => ({ row: { ...settled, ...over } })
/** A row whose call ended at a moment. */
const aged = (endedAt: number | null, over: Partial<Evidence> = {}) => ({ ...withRow({ endedAt }), ...over })
const read = (over: Partial<Extract<Lookup, { kind: "read" }>> = {}): Lookup => ({
  kind: "read",
  found: [],
  complete: true,
  ...over,
})
/** A form's job with rows that may become canaries. */
const ownJob = (counts: Partial<JobRecord["counts"]>, state: JobRecord["state"] = "running") =>
  jobOf({ state, lane: "people", counts: { ...jobOf().counts, ...counts } })
const noRecord: Lookup = { kind: "no_record" }

/** Everything proves absence. */
const proven: Evidence = {
  row: settled,
  job: jobOf(),
  rules: { absence: "canary" },
  settleMs: 1000,
  recheckMs: 700,
  lookedAt: now,
  lookup: read(),
  unclaimed: [],
  isUntagged: false,
  gapMs: 0,
  history: history("found"),
  pending: 0,
}

const namesUnsure = { absence: "canary", messages: { unsure: "order_unsure" } } as const
const facts = { at: 90_000, since: 50_000, made: 40_000, attempts: 1, sample: false }
const restored = withRow({ notes: { restored: facts } })
const neverSent = withRow({ attempts: 0, notes: { restored: { ...facts, attempts: 0 } } })

const confirm = (one: FoundEffect, outcome: RowRecord["outcome"] = null): Decision => ({
  kind: "confirm",
  effect: one,
  outcome,
})
const person = (code: RowOutcomeCode): Decision => ({ kind: "person", outcome: rowOutcome(code) })
const failed = (code: RowOutcomeCode, set?: object): Decision => ({
  kind: "failed",
  outcome: rowOutcome(code),
  ...(set && { set }),
})
const wait = (until: number, notes?: RowRecord["notes"]): Decision => ({
  kind: "wait",
  until,
  ...(notes && { notes }),
})
const reads = (what: "history" | "balance" | "own_effect") => ({ kind: "read", what })
const absent: Decision = { kind: "absent" }
const refusal = rowOutcome("not_enough_points")
const mine = effect("txn_1")

type Case = readonly [rule: string, evidence: Partial<Evidence>, decision: object]

const effects: readonly Case[] = [
  ["one tagged effect confirms", { unclaimed: [mine] }, confirm(mine)],
  [
    "a tagged effect confirms even before the call has an end",
    aged(null, { unclaimed: [mine] }),
    confirm(mine),
  ],
  [
    "a tagged effect confirms with its own outcome",
    { unclaimed: [effect("o", { outcome: rowOutcome("matched_by_time") })] },
    confirm(effect("o", { outcome: rowOutcome("matched_by_time") }), rowOutcome("matched_by_time")),
  ],
  ["two tagged effects need a person", { unclaimed: [mine, effect("txn_2")] }, person("several_matches")],
  [
    "a tagged effect of another amount needs a person",
    { unclaimed: [effect("txn_1", { tagged: false, otherAmount: true })] },
    person("ledger_other_amount"),
  ],
  [
    "a refusal of the lookup fails the row",
    { lookup: read({ refused: rowOutcome("already_member") }) },
    failed("already_member", { endedAt: null }),
  ],
  [
    "an entry that can never be the row's needs a person",
    { lookup: read({ person: { ...rowOutcome("earlier_card"), notes: { taken: 1 } } }) },
    { ...person("earlier_card"), notes: { taken: 1 } },
  ],
  ["a record changed elsewhere needs a person", { lookup: { kind: "changed" } }, person("changed_there")],
  [
    "a record changed elsewhere keeps what was read",
    { lookup: { kind: "changed", code: "not_taken", notes: { theirs: 1 } } },
    { ...person("not_taken"), notes: { theirs: 1 } },
  ],
  [
    "lookups that failed for too long need a person",
    { lookup: { kind: "given_up" } },
    person("history_unreadable"),
  ],
]

const absence: readonly Case[] = [
  ["a row found missing twice with a canary and no pending points is absent", {}, absent],
  ["history is read before anything is decided by time", { history: undefined }, reads("history")],
  ["the balance is read last", { pending: undefined }, reads("balance")],
  [
    "a row of a bulk request without batch code cannot be looked up",
    { isUntagged: true },
    person("unmarked"),
  ],
  [
    "a call without a known end waits",
    { ...withRow({ endedAt: null, sentAt: 96_000 }), history: undefined },
    wait(100_500),
  ],
  [
    "a call without a known end waits however old it is",
    { ...withRow({ endedAt: null, sentAt: 80_000 }), history: undefined },
    wait(100_500),
  ],
  ["a young call waits for the deciding age", aged(99_000), wait(101_700)],
  [
    "the deciding age grows with twice the lag",
    aged(96_500, { history: history("found", 500) }),
    wait(100_500),
  ],
  ["the deciding age grows with twice the gap", aged(96_000, { gapMs: 2000 }), wait(102_700)],
  [
    "an incomplete history proves nothing",
    aged(96_000, { lookup: read({ complete: false }) }),
    wait(100_500),
  ],
  [
    "an incomplete history for too long needs a person",
    aged(80_000, { lookup: read({ complete: false }) }),
    person("history_lagging"),
  ],
  ["a canary that is not visible yet is waited for", aged(96_000, { history: notYet }), wait(100_500)],
  [
    "a canary that stays invisible needs a person",
    aged(80_000, { history: notYet }),
    person("history_lagging"),
  ],
  [
    "the kind names what stays unsure",
    aged(80_000, { history: notYet, rules: namesUnsure }),
    person("order_unsure"),
  ],
  ["without a canary that may come, a person decides", { history: none }, person("no_canary")],
  ["a file waits five settle times for a canary", aged(95_001, { history: none }), wait(100_500)],
  [
    "a file waits no longer than five settle times for a canary",
    aged(95_000, { history: none }),
    person("no_canary"),
  ],
  [
    "a paused job expects no canary",
    aged(95_001, { history: none, job: ownJob({ planned: 1 }, "paused") }),
    person("no_canary"),
  ],
  [
    "a row in flight may become a canary",
    aged(95_001, { history: none, job: ownJob({ sent: 1 }) }),
    wait(100_500),
  ],
  [
    "a kind's code for what stays unsure does not hide a missing canary",
    { history: none, rules: namesUnsure },
    person("no_canary"),
  ],
  [
    "a form does not wait for another job's canary",
    aged(95_001, { history: none, job: jobOf({ lane: "people" }) }),
    person("no_canary"),
  ],
  [
    "a job that still sends waits for its own canary",
    aged(95_001, { history: none, job: ownJob({ planned: 1 }) }),
    wait(100_500),
  ],
  ["pending points are waited for", aged(96_000, { pending: 5 }), wait(100_500)],
  ["points that stay pending need a person", { pending: 5 }, person("points_pending")],
  ["an unreadable balance is read again", aged(88_000, { pending: "unreadable" }), wait(105_000)],
  [
    "an unreadable balance is read again up to the end of the patience",
    aged(87_300, { pending: "unreadable" }),
    wait(105_000),
  ],
  [
    "a balance that stays unreadable needs a person",
    aged(87_299, { pending: "unreadable" }),
    person("history_unreadable"),
  ],
  ["the first empty lookup is repeated", withRow({ notes: null }), wait(100_700, { empty_at: now })],
  [
    "an empty lookup of an earlier attempt does not count",
    withRow({ notes: { empty_at: 89_999 } }),
    wait(100_700, { empty_at: now }),
  ],
  ["the second empty lookup comes a recheck later", withRow({ notes: { empty_at: 99_301 } }), wait(100_001)],
  [
    "kinds without canaries need only time",
    { rules: { absence: "settled" }, history: undefined, pending: undefined, ...withRow({ notes: null }) },
    absent,
  ],
  [
    "a second empty lookup may come exactly a recheck later",
    withRow({ notes: { empty_at: 99_300 } }),
    absent,
  ],
  ["an empty lookup at the end of the call counts", withRow({ notes: { empty_at: 90_000 } }), absent],
  [
    "a refusal after an unknown attempt fails the absent row",
    withRow({ notes: { empty_at: 95_000, refusal } }),
    failed("not_enough_points", { decision: null }),
  ],
  [
    "a conclusive refusal of the absent row fails it",
    {
      ...withRow({ notes: { empty_at: 95_000, refusal } }),
      rules: { absence: "canary", refusals: { isInconclusive: () => false } },
    },
    failed("not_enough_points", { decision: null }),
  ],
  [
    "an inconclusive refusal of the absent row needs a person",
    {
      ...withRow({ notes: { empty_at: 95_000, refusal } }),
      rules: { absence: "canary", refusals: { isInconclusive: () => true } },
    },
    person("not_enough_points"),
  ],
]

const missingRecords: readonly Case[] = [
  [
    "a missing member after a lost response may have been merged",
    { lookup: noRecord },
    person("member_gone"),
  ],
  [
    "a missing member that the response did not name fails immediately",
    { ...withRow({ endedAt: 99_999, sendAlone: true }), lookup: noRecord },
    failed("not_found_there"),
  ],
  ["a missing member of a young call waits", aged(99_999, { lookup: noRecord }), wait(102_699)],
  [
    "the kind names its missing record",
    { lookup: noRecord, rules: { absence: "canary", messages: { missing: "order_not_found" } } },
    failed("order_not_found"),
  ],
]

const restores: readonly Case[] = [
  [
    "a found effect confirms as found after the restore",
    { ...restored, unclaimed: [mine] },
    confirm(mine, rowOutcome("found_after_restore")),
  ],
  ["a row sent before the backup is absent", restored, absent],
  ["a row never sent by this store stays planned", neverSent, { kind: "unsent" }],
  [
    "a row of a bulk request without batch code needs a person",
    { ...restored, isUntagged: true },
    person("restore_unsure"),
  ],
  ["without a canary an own effect is looked up", { ...restored, history: none }, reads("own_effect")],
  [
    "an own effect that is not shown needs a person",
    { ...restored, history: none, showsOwnEffect: false },
    person("restore_unsure"),
  ],
  [
    "an own effect that is shown proves absence",
    { ...restored, history: none, showsOwnEffect: true },
    absent,
  ],
  ["the balance is read last", { ...restored, pending: undefined }, reads("balance")],
  ["an unreadable balance is read again", { ...restored, pending: "unreadable" }, wait(100_500)],
  ["pending points need a person", { ...restored, pending: 3 }, person("points_pending")],
  [
    "a young restore waits longer than a call",
    withRow({ notes: { restored: { ...facts, at: 99_000 } }, sendAlone: true }),
    wait(103_700),
  ],
  [
    "a missing member waits too",
    {
      ...withRow({ notes: { restored: { ...facts, at: 99_000 } }, sendAlone: true }),
      lookup: noRecord,
      history: undefined,
    },
    wait(103_700),
  ],
  [
    "kinds without canaries need only time",
    { ...restored, rules: { absence: "settled" }, history: undefined, pending: undefined },
    absent,
  ],
  [
    "an attempt after the restore is decided as usual",
    withRow({ attempts: 2, notes: { restored: facts, empty_at: 95_000 } }),
    absent,
  ],
]

describe.each([
  ["found effects", effects],
  ["absence", absence],
  ["missing records", missingRecords],
  ["after a restore", restores],
])("decision by %s", (_, cases) => {
  test.each(cases)("%s", (_rule, over, decision) => {
    expect(decideFromEvidence({ ...proven, ...over })).toEqual(decision)
  })
})

describe("another lookup", () => {
  const young = withRow({ endedAt: 99_000 })
  test.each<[string, Partial<Evidence>, unknown]>([
    ["is useless before the deciding age", young, 101_700],
    ["is useless before a canary is visible", aged(96_000, { history: notYet }), 100_500],
    ["can decide a settled row", {}, undefined],
    ["needs the state of the history", { ...young, history: undefined }, reads("history")],
    ["can decide when only the balance is missing", { pending: undefined }, undefined],
  ])("%s", (_, over, expected) => {
    expect(nextUsefulLookup({ ...proven, ...over })).toEqual(expected)
  })
})
