import type { Page } from "@playwright/test"
import * as z from "zod"
import type { FaultInput } from "../../sandbox/faults.ts"
import { demoKey, type SandboxSettings } from "../../sandbox/config.ts"
import { startAppProcess, upstreamEnv, type AppProcess } from "../support/app-process.ts"
import { startSandboxProcess, type SandboxProcess } from "../support/sandbox-process.ts"
import { startJob } from "./app-jobs.ts"
import { startServiceProxy, type ServiceProxy } from "./service-proxy.ts"

/** An app on a gift-card service that can be set up to give any documented response. */
export interface CardsApp {
  readonly app: AppProcess
  readonly service: CardService
  /** Proxy proxy the two. */
  readonly proxy: ServiceProxy
}

/** The sandbox, with its test controls. */
interface CardService extends SandboxProcess {
  set(settings: Partial<SandboxSettings>): Promise<void>
  fund(cents: number): Promise<void>
  fault(rule: FaultInput): Promise<void>
  /** Issues a card without Laurel, as another client of the service; returns its id. */
  issueElsewhere(card: { readonly externalRef: string; readonly cardId: string }): Promise<string>
  /** Removes all faults, refills the fund and restores the settings. */
  reset(): Promise<void>
}

const fullFund = 100_000_000
const defaultSettings: Partial<SandboxSettings> = {
  giftcardScopes: ["read", "write"],
  defaultCard: "card_tradevisa",
  giftcardProcessingMs: 0,
  giftcardInvalidCode: "split",
  keyRetentionMs: null,
}

/** Job timings: unknown rows are looked up soon. */
const times = {
  JOB_SETTLE_SECONDS: "4",
  JOB_RECHECK_SECONDS: "1",
  JOB_CALL_SECONDS: "8",
  JOB_LEASE_SECONDS: "12",
}

export async function startCardsApp(): Promise<CardsApp> {
  const service = controlled(await startSandboxProcess())
  const proxy = await startServiceProxy(service.url)
  const app = await startAppProcess({
    ...upstreamEnv(service.url, demoKey, 6000),
    GIFTCARD_BASE_URL: `${proxy.url}/api/v1/external`,
    ...times,
  })
  await service.reset()
  return { app, service, proxy }
}

const issued = z.object({ data: z.object({ id: z.string() }) })

function controlled(sandbox: SandboxProcess): CardService {
  const control = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${sandbox.url}${path}`, {
      method,
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${demoKey}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.status === 204 ? undefined : answer.json()
  }
  const set = async (settings: Partial<SandboxSettings>) =>
    void (await control("PUT", "/__sandbox/settings", settings))
  const fund = async (cents: number) => void (await control("PUT", "/__sandbox/fund", { cents }))
  return {
    ...sandbox,
    set,
    fund,
    fault: async (rule) => void (await control("POST", "/__sandbox/faults", rule)),
    async issueElsewhere(card) {
      const member = { email: "past.the.app@program.example", firstname: "Pat", lastname: "Elsewhere" }
      const body = { member, denomination: 50, ...card }
      return issued.parse(await control("POST", "/api/v1/external/giftcard/cards", body)).data.id
    },
    async reset() {
      await control("DELETE", "/__sandbox/faults")
      await set(defaultSettings)
      await fund(fullFund)
    },
  }
}

/** A gift-card row. */
export interface CardRow {
  readonly member: { readonly email: string; readonly firstname: string; readonly lastname: string }
  readonly denomination: number
  readonly cardId?: string
  readonly externalRef?: string
}

/** Creates a gift-card job; returns its id. The page must be signed in. */
export async function startCards(page: Page, { app }: CardsApp, rows: readonly CardRow[]): Promise<string> {
  return startJob(page, app.url, { kind: "giftcard", rows })
}

/** A $50 card for a recipient with a unique e-mail. */
export function cardRow(name: string, change: Partial<CardRow> = {}): CardRow {
  const member = { email: `${name}@cards.example`, firstname: "Ada", lastname: name }
  return { member, denomination: 50, cardId: "card_tradevisa", ...change }
}
