import type { Api } from "../../../../contract/status.ts"
import { serviceVariables } from "./service-names.ts"

const missing: Readonly<Record<Api, string>> = {
  program: "Members, points and rewards aren’t available until it’s connected.",
  giftcard: "Nothing else is affected: members and points work without it.",
}

/** Why a service is not connected, and what connects it. It is never replaced by made-up data. */
export function NotConnected({ api }: { api: Api }) {
  const [address, key] = serviceVariables[api]
  return (
    <div className="text-secondary">
      <p>The desk was started without an address for this service. {missing[api]}</p>
      <p>
        To connect it, an administrator sets <code className="l-mono">{address}</code> and{" "}
        <code className="l-mono">{key}</code> and starts the desk again.
      </p>
    </div>
  )
}
