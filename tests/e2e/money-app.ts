import * as z from "zod"
import type { FaultInput } from "../../sandbox/faults.ts"
import { demoKey } from "../../sandbox/config.ts"
import { effect, type Effect } from "../../sandbox/store/records.ts"
import { startAppProcess, upstreamEnv, type AppProcess } from "../support/app-process.ts"
import { startSandboxProcess, type SandboxProcess } from "../support/sandbox-process.ts"

/** An app that resolves unknown rows within seconds, on services that can be made to fail. */
export interface MoneyApp {
  readonly app: AppProcess
  readonly service: ServiceControl
}

/** The sandbox, with its test controls. */
interface ServiceControl extends SandboxProcess {
  /** Effects of these kinds in its ledger since it started, oldest first. Deductions have negative points. */
  effects<K extends Effect["kind"]>(...kinds: readonly K[]): Promise<readonly EffectOf<K>[]>
  /** Adds a fault; the returned function removes it. */
  fault(rule: FaultInput): Promise<() => Promise<void>>
  /** Removes every fault. */
  reset(): Promise<void>
  /** Makes a request without Laurel, as another client. Throws unless it succeeds. */
  request(method: string, path: string, body?: unknown): Promise<unknown>
  /** Ids of its members, oldest first. */
  memberIds(count: number): Promise<readonly string[]>
}

type EffectOf<K extends Effect["kind"]> = Extract<Effect, { kind: K }>

/** Job timings: an unknown row is looked up after 4 s. */
const times = {
  JOB_SETTLE_SECONDS: "4",
  JOB_RECHECK_SECONDS: "1",
  JOB_CALL_SECONDS: "8",
  JOB_LEASE_SECONDS: "12",
}

/** `rateLimit`: Laurel's rate limit, requests a minute; its services have no limit. */
export async function startMoneyApp(rateLimit = 6000): Promise<MoneyApp> {
  const service = controlled(await startSandboxProcess())
  const app = await startAppProcess({ ...upstreamEnv(service.url, demoKey, rateLimit), ...times })
  return { app, service }
}

const ledger = z.object({ data: z.array(effect) })
const added = z.object({ data: z.object({ id: z.string() }) })
const members = z.object({ data: z.array(z.object({ id: z.string() })) })

function controlled(sandbox: SandboxProcess): ServiceControl {
  const request = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${sandbox.url}${path}`, {
      method,
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${demoKey}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.status === 204 ? undefined : answer.json()
  }
  return {
    ...sandbox,
    async effects<K extends Effect["kind"]>(...kinds: readonly K[]) {
      const { data } = ledger.parse(await request("GET", "/__sandbox/ledger"))
      return data.filter((each): each is EffectOf<K> => kinds.some((kind) => kind === each.kind))
    },
    async fault(rule) {
      const { id } = added.parse(await request("POST", "/__sandbox/faults", rule)).data
      return async () => void (await request("DELETE", `/__sandbox/faults/${id}`))
    },
    reset: async () => void (await request("DELETE", "/__sandbox/faults")),
    request,
    async memberIds(count) {
      const ids: string[] = []
      for (let page = 1; ids.length < count; page += 1) {
        const { data } = members.parse(
          await request("GET", `/v1/members?status=active&per_page=100&page=${page}`),
        )
        ids.push(...data.map(({ id }) => id))
        if (data.length < 100) break
      }
      return ids.slice(0, count)
    },
  }
}
