import { hostname } from "node:os"
import { pid } from "node:process"
import { trace } from "@opentelemetry/api"
import { type DestinationStream, type Logger, pino } from "pino"
import type { Config } from "./config.ts"

const hidden = "[hidden]"
/** Shorter secrets would match ordinary text. */
const shortestSecret = 8
/** Values that grant access at any position: cookies, one-time links, authorization headers. */
const telling = /((?:session_token|laurel\.browser|token)=|Bearer )[^\s"';,&\\]+/g

/** The trace that a line belongs to; nothing without an SDK (docs/operating.md, Traces). */
export function traceOf(): { readonly trace_id?: string } {
  const span = trace.getActiveSpan()
  return span === undefined ? {} : { trace_id: span.spanContext().traceId }
}

/**
 * The process's log: JSON lines from `LOG_LEVEL` on. Callers leave secrets out; should one get into an
 * error's text anyway, it is removed before the line is written; `further` lists secrets outside the configuration.
 */
export function createLogger(
  config: Config,
  further: readonly string[] = [],
  destination?: DestinationStream,
): Logger {
  const secrets = [...secretsOf(config), ...further].flatMap((secret) =>
    secret.length < shortestSecret
      ? []
      : [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)],
  )
  const options = {
    level: config.logLevel,
    mixin: traceOf,
    serializers: { err: errorLine },
    hooks: {
      streamWrite: (line: string) =>
        secrets
          .reduce((text, secret) => text.replaceAll(secret, hidden), line)
          .replace(telling, (_all, name: string) => `${name}${hidden}`),
    },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/**
 * The lines of the start: to be read on a terminal, else as lines of the log, whatever `LOG_LEVEL` is. The set-up link
 * is there in full; nothing else grants access before there is an administrator.
 */
export function startOutput(lines: readonly string[], isTerminal: boolean): string {
  const process = { level: 30, time: Date.now(), pid, hostname: hostname() }
  const inLog = (line: string) => JSON.stringify({ ...process, msg: line.trim() })
  return lines.map((line) => `${isTerminal ? line : inLog(line)}\n`).join("")
}

function secretsOf(config: Config): string[] {
  const { connections, sessionSecret, metricsToken, admin, databaseUrl } = config
  const database = URL.parse(databaseUrl ?? "")?.password ?? ""
  const keys = Object.values(connections).flatMap(({ apiKey, nextApiKey }) => [apiKey, nextApiKey ?? ""])
  const others = [sessionSecret, metricsToken, admin?.password].filter((secret) => secret !== undefined)
  return [...keys, ...others, database, decodeURIComponent(database)]
}

/** An error without drivers' extra fields: a database's `detail` and `parameters` contain rows. */
function errorLine(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: errorLine(error.cause) }),
  }
}
