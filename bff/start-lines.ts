import { type Api, apis } from "../contract/status.ts"
import { type Config, storeFile } from "./config.ts"

const serviceNames: Readonly<Record<Api, string>> = {
  program: "Program service",
  giftcard: "Gift-card service",
}

/** What the terminal says once the desk runs: where, on what, and how to get in. Never a key. */
export function startLines(running: {
  readonly config: Config
  readonly version: string
  readonly url: string
  readonly setUpPath: string | undefined
}): string[] {
  const { config, url, setUpPath } = running
  const address = config.publicOrigin ?? url
  const lines = [`Laurel ${running.version} runs at ${url}${url === address ? "" : ` (${address})`}`]
  lines.push(`  Store: ${storeName(config)}`)
  if (config.environment === "sandbox") {
    lines.push(
      "  Environment: sandbox. Both services are made up and run in here; nothing leaves this machine.",
    )
    lines.push("  Sign in: the page offers a demo account for each role.")
  } else {
    lines.push(`  Environment: ${config.environment}`)
    for (const api of apis) lines.push(`  ${serviceNames[api]}: ${reached(config, api)}`)
  }
  if (setUpPath !== undefined) {
    lines.push("  There is no administrator yet. This link makes one; it works once, for an hour:")
    lines.push(`  ${address}${setUpPath}`)
  }
  return lines
}

function reached(config: Config, api: Api): string {
  const found = config.connections[api]
  return found === undefined ? "not connected" : `${found.baseUrl} (${found.rateLimit} requests a minute)`
}

function storeName(config: Config): string {
  if (config.databaseUrl === undefined) return storeFile(config)
  const url = URL.parse(config.databaseUrl)
  return `PostgreSQL at ${url?.host ?? ""}${url?.pathname ?? ""}`
}
