import { JobLink } from "../../../forms/outcome/job-link.tsx"
import { duration } from "../../../lib/time.ts"
import type { SenderState } from "../ship/outbox/sender.ts"
import { Notice } from "../../../ui/notice.tsx"
import { useNow } from "../../../ui/hooks.ts"

/** Why nothing is sent at the moment, when that is so. */
export function SenderNote({ state, waiting }: { state: SenderState; waiting: number }) {
  if (waiting === 0) return null
  switch (state.type) {
    case "waits":
      return <Wait until={state.until} />
    case "stopped":
      return (
        <Notice
          tone="warning"
          title="The outbox is paused"
          action={<JobLink id={state.job}>Look at {state.job}</JobLink>}
        >
          {state.message} Nothing more is sent until that job goes on. You can keep scanning.
        </Notice>
      )
    case "signed-out":
      return (
        <Notice tone="info" title="You’re signed out">
          Scanned parcels stay in the outbox and are sent when you sign in again.
        </Notice>
      )
    default:
      return null
  }
}

function Wait({ until }: { until: number }) {
  const left = until - useNow("second")
  return (
    <Notice tone="info" title="Laurel’s server asked to wait">
      {left > 0
        ? `The outbox continues in ${duration(Math.ceil(left / 1000) * 1000)}.`
        : "The outbox continues in a moment."}{" "}
      You can keep scanning.
    </Notice>
  )
}
