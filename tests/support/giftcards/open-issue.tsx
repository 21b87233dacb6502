import type { CardPairs, RegisteredCard } from "../../../contract/cards.ts"
import type { Job } from "../../../contract/job.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import type { Role } from "../../../contract/roles.ts"
import * as z from "zod/mini"
import { oneRowJob } from "../job-views.ts"
import type { Handlers } from "../test-app.tsx"
import { openCards } from "./open-cards.tsx"

const ana = {
  id: "mem_ana",
  email: "ana@coastal.test",
  first_name: "Ana",
  last_name: "Silva",
  status: "active",
  metadata: { account_key: "AC-1" },
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
}

/** The app at an address, with templates, costs, Ana, and one card job. */
export function openIssue(address: string, opening: Opening = {}) {
  const { pairs = [], left = 100_000, fee = 250, cards = [], role = "manager" } = opening
  const sent: { rows: readonly unknown[]; key: string | null }[] = []
  let made: { job: Job; row: JobRow } | undefined
  const opened = openCards(address, {
    cards,
    role,
    handlers: {
      "GET /api/settings/cardPairs": () => ({ refused: pairs }),
      "GET /api/settings/cardCosts": () => ({
        fee_cents: fee,
        gst_percent: 10,
        fund_cents: left,
        fund_at: left === null ? null : "2026-11-20T00:00:00Z",
      }),
      "GET /api/cards/fund": () => ({
        entered_cents: left,
        entered_at: left === null ? null : "2026-11-20T00:00:00Z",
        cards: 0,
        drawn_cents: 0,
        left_cents: left,
      }),
      "GET /api/program/members/mem_ana": () => ana,
      "GET /api/program/members": ({ query }) => {
        const search = (query.get("search") ?? "").toLowerCase()
        const matches = `${ana.first_name} ${ana.last_name} ${ana.email}`.toLowerCase().includes(search)
        return Response.json({ success: true, data: matches ? [ana] : [], meta: { page: 1, per_page: 8 } })
      },
      "POST /api/cards/check-references": () => [{ state: "free", by: null }],
      "GET /api/jobs": () => Response.json({ success: true, data: [], meta: { next: null } }),
      "POST /api/jobs/repeats": () => [],
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
