import type { Clock, Upstream } from "../../../core/ports.ts"
import type { Sandbox } from "../../../sandbox/app.ts"
import { createSandboxUpstream } from "../../support/sandbox-upstream.ts"

/** The way to a sandbox in this process, which knows how many calls are under way. */
export interface SandboxLink extends Upstream {
  readonly pending: () => number
}

/** Makes one. A call ends after `callMs` whatever the service does. */
export function linkSandbox(sandbox: Sandbox, clock: Clock, callMs: number): SandboxLink {
  const upstream = createSandboxUpstream(sandbox, clock, callMs)
  let pending = 0
  return {
    pending: () => pending,
    async send(call) {
      pending += 1
      try {
        return await upstream.send(call)
      } finally {
        pending -= 1
      }
    },
  }
}
