import type { FaultBox } from "./box.ts"
import type { FaultRule } from "./rule.ts"
import { announce } from "./signals.ts"

type Row = Record<string, unknown>

/** Answers with a page, as a proxy before the service would. */
export function htmlPage(status: number): Response {
  const page = "<!doctype html><title>Error</title><h1>The page cannot be displayed</h1>"
  return new Response(page, { status, headers: { "content-type": "text/html; charset=utf-8" } })
}

/** Cuts an answer in the middle; the length still promised is kept for the server. */
export async function truncated(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const half = bytes.slice(0, Math.floor(bytes.length / 2))
  return announce(new Response(half, { status: response.status, headers: response.headers }), bytes.length)
}

/** An answer without the body that is due. */
export function emptied(response: Response): Response {
  return new Response(null, { status: response.status, headers: { "content-type": "application/json" } })
}

/** Damages the records of a JSON answer the way the rule says; other answers pass. */
export async function damaged(response: Response, rule: FaultRule, box: FaultBox): Promise<Response> {
  if (!(response.headers.get("content-type") ?? "").includes("json")) return response
  const body: unknown = await response.json()
  const data = isRow(body) && "data" in body ? body["data"] : undefined
  const records = (Array.isArray(data) ? data : [data]).filter(isRow)
  const first = records[0]
  if (first !== undefined) {
    const field = rule.field ?? drawnField(rule, first, box)
    for (const record of records) damage(record, field, rule)
  }
  return Response.json(body, { status: response.status })
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function drawnField(rule: FaultRule, record: Row, box: FaultBox): string {
  if (rule.kind === "unknown-enum") return "status" in record ? "status" : "type"
  if (rule.kind === "extra-field") return "x_partner_note"
  const names = Object.keys(record).filter((name) => !name.endsWith("id"))
  return names[Math.floor(box.draw() * names.length)] ?? "status"
}

function damage(record: Row, field: string, rule: FaultRule): void {
  if (rule.kind === "missing-field") delete record[field]
  else if (rule.kind === "null-field") record[field] = null
  else if (rule.kind === "wrong-type")
    record[field] = typeof record[field] === "object" ? 7 : { was: record[field] }
  else if (rule.kind === "extra-field") record[field] = rule.value ?? "not documented"
  else record[field] = rule.value ?? "archived_by_partner"
}
