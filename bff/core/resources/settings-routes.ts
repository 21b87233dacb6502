import { settingsDocuments, type SettingsName } from "../../../contract/desk/settings.ts"
import { success } from "../answer.ts"
import { auditText, entryOf } from "../audit-log.ts"
import { readBody } from "../body.ts"
import type { DeskContext } from "../context.ts"
import { notFound } from "../failure.ts"
import type { DeskAnswer, DeskRequest } from "../http.ts"
import { noQuery } from "../query.ts"
import type { OwnHandler } from "../routes.ts"
import { recorded } from "../stored.ts"

/** `GET /api/settings/{name}`: what is saved, or what holds until somebody saves. */
export const getSettings: OwnHandler = async ({ settings }, request, params) => {
  noQuery(request.query)
  return success(await settings.get(nameOf(params)))
}

/** `PUT /api/settings/{name}`: saves the whole document; it holds at once. */
export const saveSettings: OwnHandler = async (context, request, params) => {
  noQuery(request.query)
  const name = nameOf(params)
  switch (name) {
    case "program": {
      const value = readBody(request.body, settingsDocuments.program.schema)
      const before = await context.settings.get("program")
      await context.settings.put("program", value)
      return saved(context, request, name, before, value)
    }
    case "cache": {
      const value = readBody(request.body, settingsDocuments.cache.schema)
      const before = await context.settings.get("cache")
      await context.settings.put("cache", value)
      return saved(context, request, name, before, value)
    }
    default:
      return name satisfies never
  }
}

function nameOf(params: Readonly<Record<string, string>>): SettingsName {
  if (params.name === "program" || params.name === "cache") return params.name
  throw notFound("There are no settings of this name.")
}

async function saved(
  context: DeskContext,
  request: DeskRequest,
  name: SettingsName,
  before: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
): Promise<DeskAnswer> {
  const changes = Object.keys(value)
    .filter((field) => before[field] !== value[field])
    .map((field) => ({ field, from: auditText(before[field]), to: auditText(value[field]) }))
  const on = { kind: "settings", id: name, label: null }
  await recorded(
    context.audit.record(entryOf(request, { action: "settings.save", on, outcome: "done", changes })),
  )
  return success(value)
}
