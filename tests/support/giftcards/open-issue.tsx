import type { CardPairs, RegisteredCard } from "../../../contract/cards.ts"
import type { Job } from "../../../contract/job.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import type { Role } from "../../../contract/roles.ts"
import * as z from "zod/mini"
import { oneRowJob } from "../job-views.ts"
import type { Sandbox } from "../../../sandbox/app.ts"
import { ana } from "../open-page.tsx"
import type { Handlers } from "../test-app.tsx"
import { openCards } from "./open-cards.tsx"

/** Ana Silva with a short id and an account key. */
function addAna({ store: { members } }: Sandbox): void {
  const record = members.get(ana.id)
  if (record === undefined) return
  const change = { id: "mem_ana", email: "ana@coastal.test", metadata: { account_key: "AC-1" } }
  members.remove(ana.id)
  members.put({ ...record, ...change, accountKey: "AC-1" })
}

const posted = z.object({ rows: z.array(z.record(z.string(), z.unknown())) })

interface Opening {
  readonly role?: Role
  readonly pairs?: CardPairs["refused"]
  /** Remaining fund, cents. */
  readonly left?: number | null
  /** Fee per card, cents. */
  readonly fee?: number
  readonly cards?: readonly RegisteredCard[]
  /** Final state of the row. */
  readonly row?: Partial<JobRow>
  readonly pause?: Job["pause"]
  readonly handlers?: Handlers
  readonly rateLimit?: number
}

/** A page with templates, costs, Ana, and one card job in the state of a test. */
export async function openIssue(address: string, opening: Opening = {}) {
  const { pairs = [], left = 100_000, fee = 250, cards = [], role = "manager" } = opening
  const sent: { rows: readonly unknown[]; key: string | null }[] = []
  let made: { job: Job; row: JobRow } | undefined
  const opened = await openCards(address, {
    cards,
    role,
    prepare: addAna,
    ...(opening.rateLimit !== undefined && { rateLimit: opening.rateLimit }),
    settings: {
      cardPairs: { refused: pairs },
      cardCosts: {
        fee_cents: fee,
        gst_percent: 10,
        face_gst_percent: 0,
        fund_cents: left,
        fund_at: left === null ? null : "2026-11-20T00:00:00Z",
        low_cents: 50_000,
      },
    },
    handlers: {
      "POST /api/jobs": ({ body, headers }) => {
        const { rows } = posted.parse(body)
        sent.push({ rows, key: headers.get("Idempotency-Key") })
        made = madeJob(rows[0] ?? {}, opening)
        return Response.json({ success: true, data: made.job }, { status: 201 })
      },
      "GET /api/jobs/J-1": () => made?.job,
      "GET /api/jobs/J-1/rows": () =>
        Response.json({ success: true, data: [made?.row], meta: { page: 1, per_page: 1, total: 1 } }),
      ...opening.handlers,
    },
  })
  return { ...opened, sent }
}

/** A job of one card, just created or in the state that `row` gives. */
export function madeJob(input: Record<string, unknown>, { row, pause = null }: Opening = {}) {
  const open = row?.state === undefined || row.state === "planned" || row.state === "unknown"
  const paused = pause === null ? {} : ({ state: "paused", pause } as const)
  return oneRowJob(
    { kind: "giftcard", attention: row?.state === "conflict" ? 1 : 0, ...paused },
    { input: { cardId: "card_tradevisa", ...input }, attempts: open ? 0 : 1, ...row },
  )
}
