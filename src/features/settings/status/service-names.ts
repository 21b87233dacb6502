import type { Api } from "../../../../contract/status.ts"

/** What the services are called on the settings pages. */
export const serviceNames: Readonly<Record<Api, string>> = {
  program: "Program API",
  giftcard: "Gift card API",
}

/** The variables that connect a service (docs/operating.md). */
export const serviceVariables: Readonly<Record<Api, readonly [address: string, key: string]>> = {
  program: ["PROGRAM_BASE_URL", "PROGRAM_API_KEY"],
  giftcard: ["GIFTCARD_BASE_URL", "GIFTCARD_API_KEY"],
}
