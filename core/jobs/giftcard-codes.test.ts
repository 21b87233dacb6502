import { describe, expect, it } from "vitest"
import { createSandbox } from "../../sandbox/app.ts"
import type { SandboxOptions, SandboxSettings } from "../../sandbox/config.ts"
import { giftcardErrors } from "../../contract/error-catalogue.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { createSandboxUpstream } from "../../src/demo/sandbox-upstream.ts"
import type { UpstreamCall } from "../ports.ts"
import { readCallOutcome, type CallOutcome } from "./call-outcome.ts"

const member = { email: "ana@outback.example", firstname: "Ana", lastname: "Silva" }
const body = { member, denomination: 50, cardId: "card_tradevisa", externalRef: "R-1", idempotencyKey: "k-1" }
const path = "/giftcard/cards"

/** How to provoke each documented code, and how an issue with that response ends. */
const ways: Readonly<
  Record<
    string,
    {
      readonly ends: CallOutcome["kind"]
      readonly sends?: object
      readonly before?: object
      readonly path?: string
      readonly options?: Partial<SandboxOptions>
      readonly settings?: Partial<SandboxSettings>
    }
  >
> = {
  NO_CARD_SPECIFIED: { ends: "systemic", sends: { cardId: undefined }, settings: { defaultCard: null } },
  INVALID_ARGUMENT: { ends: "refused", sends: { denomination: 55 } },
  VALIDATION_ERROR: { ends: "refused", sends: { expiryDays: 10 } },
  INSUFFICIENT_FUND: { ends: "systemic", options: { fundCents: 0 } },
  PERMISSION_DENIED: { ends: "systemic", options: { giftcardScopes: ["read"] } },
  DUPLICATE_EXTERNAL_REF: { ends: "refused", before: { idempotencyKey: "k-0" } },
  AMBIGUOUS_EXTERNAL_REF: { ends: "refused", path: "/giftcard/cards/SPRINT-0131" },
  IDEMPOTENCY_IN_PROGRESS: { ends: "refused", before: {}, settings: { giftcardProcessingMs: 5000 } },
  SETUP_INCOMPLETE_CATALOGUE: { ends: "systemic", sends: { cardId: "card_nocatalogue" } },
  SETUP_INCOMPLETE_DENOMINATIONS: { ends: "systemic", sends: { cardId: "card_nopictures" } },
  SETUP_INCOMPLETE_CLIENT_NAME: { ends: "systemic", sends: { cardId: "card_noclient" } },
  DENOMINATION_NOT_PRODUCED: { ends: "refused", sends: { denomination: 1000 } },
}

it("every documented code is covered", () => {
  expect(Object.keys(ways).toSorted()).toEqual(giftcardErrors.flatMap(({ code }) => code ?? []).toSorted())
})

describe.each(["object", "flat", "string", "errorCode", "errors"] as const)(
  "an error body as %s",
  (giftcardErrorShape) => {
    it.each(Object.entries(ways))("%s is handled as documented", async (code, way) => {
      const clock = createFakeClock()
      const sandbox = createSandbox({
        members: 20,
        giftcardRateLimit: 0,
        now: () => clock.now(),
        wait: (ms, signal) => clock.sleep(ms, signal),
        ...way.options,
        settings: { giftcardErrorShape, ...way.settings },
      })
      const upstream = createSandboxUpstream(sandbox, clock, 12_000)
      const post = (sent: object): UpstreamCall => ({
        api: "giftcard",
        method: "POST",
        path,
        query: new URLSearchParams(),
        body: { ...body, ...sent },
      })
      if (way.before !== undefined) {
        void upstream.send(post(way.before))
        await clock.settle()
      }
      const call: UpstreamCall =
        way.path === undefined
          ? post(way.sends ?? {})
          : { api: "giftcard", method: "GET", path: way.path, query: new URLSearchParams() }
      const outcome = await upstream.send(call)
      const entry = giftcardErrors.find((one) => one.code === code)
      expect(outcome).toMatchObject({ kind: "answer", status: entry?.status })
      expect(readCallOutcome("giftcard", outcome)).toMatchObject({ kind: way.ends, code })
      await clock.advance(10_000)
    })
  },
)

it("a missing template pauses the job for any body", () => {
  for (const answered of [undefined, { error: { message: "x" } }, { error: { code: "NOT_FOUND" } }]) {
    const outcome = { kind: "answer", status: 404, body: answered, ms: 1, endedAt: 0 } as const
    expect(readCallOutcome("giftcard", outcome)).toMatchObject({
      kind: "systemic",
      code: "template_not_found",
    })
  }
})
