import type { Clock, Upstream } from "../../../core/ports.ts"
import type { Sandbox } from "../../../sandbox/app.ts"
import { createSandboxUpstream } from "../../../src/demo/sandbox-upstream.ts"

/** An upstream to an in-process sandbox that counts pending calls. */
export interface SandboxLink extends Upstream {
  readonly pending: () => number
}

/** Calls end after `callMs` at the latest. */
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
