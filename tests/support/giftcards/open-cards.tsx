import type { RegisteredCard } from "../../../contract/cards.ts"
import type { Role } from "../../../contract/roles.ts"
import { openPage } from "../open-page.tsx"
import type { Handlers } from "../test-app.tsx"

/** An active $100 card, issued for Ana by row 2 of a job. */
export function card(id: string, change: Partial<RegisteredCard> = {}): RegisteredCard {
  return {
    id,
    origin: "issued",
    status: "issued",
    template: "card_tradevisa",
    amount_cents: 10_000,
    reference: "7K2Q.2",
    own_reference: null,
    member: { id: "mem_ana", email: "ana@coastal.test", name: "Ana Silva", created: false },
    is_test: false,
    issued_at: "2026-11-20T00:02:00Z",
    expires_at: new Date(Date.now() + 80 * 86_400_000).toISOString(),
    job: { id: "J-1", row: 2, line: null },
    by: { id: "user-manager", name: "Priya Nair" },
    message: null,
    replayed: false,
    looked_up_at: null,
    can_reveal: true,
    ...change,
  }
}

/** A card in the gift-card service's lookup response. */
export function foundCard(id: string, change: Record<string, unknown> = {}) {
  return {
    id,
    status: "issued",
    amount: 100,
    cardId: "card_tradevisa",
    memberId: "mem_ana",
    externalRef: "NPS-1",
    isTest: false,
    issuedAt: "2026-11-20T00:02:00Z",
    expiresAt: "2027-02-18T00:02:00Z",
    ...change,
  }
}

/** A refusal by the service, as the app passes it on. */
export function refusedByService(status: number, upstream_status: number, upstream_code: string | null) {
  const details = { api: "giftcard", upstream_status, upstream_code }
  const code = status === 404 ? "not_found" : status === 409 ? "conflict" : "refused_by_service"
  return Response.json(
    { success: false, error: { code, message: "No.", requestId: "r-1", details } },
    { status },
  )
}

const cardTemplates = {
  templates: [
    { id: "card_tradevisa", name: "Trade Visa", denominations: [50, 100] },
    { id: "card_bunnings", name: "Bunnings", denominations: [50, 100] },
  ],
  default: "card_tradevisa",
}

interface Opening extends Pick<
  NonNullable<Parameters<typeof openPage>[1]>,
  "prepare" | "rateLimit" | "settings"
> {
  readonly cards?: readonly RegisteredCard[]
  readonly role?: Role
  readonly handlers?: Handlers
}

/** A page over the core on a sandbox, with a made-up card register. */
export function openCards(
  address: string,
  { cards = [card("gc_1")], role = "manager", handlers, settings, ...opening }: Opening = {},
) {
  return openPage(address, {
    as: role,
    settings: { cardTemplates, ...settings },
    ...opening,
    answers: {
      "GET /api/cards": ({ query }) => {
        const size = Number(query.get("per_page") ?? 25)
        const page = Number(query.get("page") ?? 1)
        const data = cards.slice((page - 1) * size, page * size)
        return Response.json({ success: true, data, meta: { page, per_page: size, total: cards.length } })
      },
      "GET /api/cards/facets": () => ({
        templates: ["card_tradevisa"],
        statuses: ["issued"],
        people: [{ id: "user-manager", name: "Priya Nair" }],
      }),
      "GET /api/jobs/J-1/rows": () => [],
      ...Object.fromEntries(cards.map((each) => [`GET /api/cards/${each.id}`, () => each])),
      ...handlers,
    },
  })
}
