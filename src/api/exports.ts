import type * as z from "zod/mini"
import { type createExportBody, exportTicket } from "../../contract/response.ts"
import { ApiError, Offline } from "../lib/errors.ts"
import {
  type Answer,
  apiPath,
  mayComeLater,
  queryText,
  type QueryValues,
  readAnswer,
  request,
} from "./request.ts"
import { untilSignedInAgain } from "./session-gate.ts"

/**
 * Asks for the right to export; what is exported is in the audit log from then on. The answer's id goes with each
 * page that is read.
 */
export async function createExport(
  body: z.input<typeof createExportBody>,
  signal: AbortSignal,
): Promise<string> {
  const path = apiPath("exports")
  return (await request({ method: "POST", path, body, schema: exportTicket, signal })).data.id
}

interface ExportPage<T> {
  /** From `createExport`. */
  readonly exportId: string
  readonly path: string
  readonly query: QueryValues
  readonly schema: z.ZodMiniType<T>
  readonly signal: AbortSignal
  /** Asks the service itself, past every cache. */
  readonly fresh: boolean
}

/**
 * Reads one page of an export. It goes in the background lane, which waits for people: a wait is no countdown in
 * the budget chip, because everybody else may still ask.
 * @throws ApiError, UnreadableAnswer, Offline; the signal's reason
 */
export async function readExportPage<T>(page: ExportPage<T>): Promise<Answer<T>> {
  const { signal } = page
  for (;;) {
    try {
      return await ask(page)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ApiError)) throw error
      if (error.code === "session_required") await untilSignedInAgain(signal)
      else if (mayComeLater(error)) await pause((error.retryAfter ?? 2) * 1000, signal)
      else throw error
    }
  }
}

async function ask<T>({ exportId, path, query, schema, signal, fresh }: ExportPage<T>): Promise<Answer<T>> {
  const headers = new Headers({ Accept: "application/json", "X-Laurel": "1", "X-Laurel-Export": exportId })
  if (fresh) headers.set("Cache-Control", "no-cache")
  let response: Response
  let text: string
  try {
    response = await fetch(path + queryText(query), {
      method: "GET",
      headers,
      credentials: "same-origin",
      signal,
    })
    text = await response.text()
  } catch (error) {
    throw new Offline(error)
  }
  return readAnswer(response, text, schema)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener("abort", end)
  })
}
