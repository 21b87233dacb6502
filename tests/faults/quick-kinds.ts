import { faultMix } from "./fault-mix.ts"
import { deductRows, newMemberRows } from "./made-up-rows.ts"
import type { QuickRun } from "./quick-run.ts"
import { shortMs } from "./scenario.ts"

const deductions: QuickRun = {
  rule: "a deduction is never sent again by itself: one that was not carried out waits for somebody",
  scenario: {
    seed: 21,
    job: (sandbox, random) => ({ kind: "deduct", rows: deductRows(sandbox, 80, random) }),
    // One at least is not carried out, however the requests meet the faults that come by chance.
    faults: [
      { kind: "drop-before", match: { method: "POST", path: "/v1/points/deduct", nth: 7 } },
      ...faultMix(0.2, shortMs),
    ],
    kills: { most: 1, every: 40 },
  },
  unresolved: { least: 1, most: 24 },
  missed: ({ requests, counts, job }) => {
    const sent = new Map<string, number>()
    for (const { path, body, status } of requests) {
      // What was refused for the rate was not taken up.
      if (path === "/v1/points/deduct" && status !== 429) sent.set(body, (sent.get(body) ?? 0) + 1)
    }
    return [
      ...[...sent].filter(([, times]) => times > 1).map(([body]) => `sent again: ${body}`),
      ...(counts.U === job.attention
        ? []
        : [`${counts.U} are unresolved, but ${job.attention} ask for somebody`]),
    ]
  },
}

const newMembers: QuickRun = {
  rule: "each new member is created once, where the service would take an e-mail twice",
  scenario: {
    seed: 22,
    job: (sandbox, random) => ({ kind: "member-create", rows: newMemberRows(sandbox, 70, random) }),
    sandbox: { settings: { duplicateEmail: "allow" } },
    faults: faultMix(0.2, shortMs),
    kills: { most: 1, every: 40 },
  },
  unresolved: { most: 21 },
}

/** The kinds that are not sent again by themselves. */
export const quickKinds: readonly QuickRun[] = [deductions, newMembers]
