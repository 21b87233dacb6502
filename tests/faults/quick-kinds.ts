import { faultMix } from "./fault-mix.ts"
import { deductRows, newMemberRows } from "./made-up-rows.ts"
import type { QuickRun } from "./quick-run.ts"
import { shortMs } from "./scenario.ts"

const deductions: QuickRun = {
  rule: "a deduction is never resent automatically: one without effect is left to a person",
  scenario: {
    seed: 21,
    job: (sandbox, random) => ({ kind: "deduct", rows: deductRows(sandbox, 80, random) }),
    // At least one has no effect, whatever the random faults.
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
      // A 429 has no effect.
      if (path === "/v1/points/deduct" && status !== 429) sent.set(body, (sent.get(body) ?? 0) + 1)
    }
    return [
      ...[...sent].filter(([, times]) => times > 1).map(([body]) => `sent again: ${body}`),
      ...(counts.U === job.attention
        ? []
        : [`${counts.U} are unresolved, but ${job.attention} need attention`]),
    ]
  },
}

const newMembers: QuickRun = {
  rule: "each new member is created once even if the service accepts duplicate e-mails",
  scenario: {
    seed: 22,
    job: (sandbox, random) => ({ kind: "member-create", rows: newMemberRows(sandbox, 70, random) }),
    sandbox: { settings: { duplicateEmail: "allow" } },
    faults: faultMix(0.2, shortMs),
    kills: { most: 1, every: 40 },
  },
  unresolved: { most: 21 },
}

/** The kinds that are not resent automatically. */
export const quickKinds: readonly QuickRun[] = [deductions, newMembers]
