import { settingsDocuments, type SettingsName } from "../../../contract/desk/settings.ts"
import { success } from "../answer.ts"
import { auditText, entryOf } from "../audit-log.ts"
import { readBody } from "../body.ts"
import type { DeskContext } from "../context.ts"
import { forbidden, notFound } from "../failure.ts"
import type { DeskAnswer, DeskRequest } from "../http.ts"
import { noQuery } from "../query.ts"
import type { OwnHandler } from "../routes.ts"
import { recorded } from "../stored.ts"
import { documents } from "./settings.ts"

const settingsNames = Object.keys(settingsDocuments).filter(
  (name): name is SettingsName => name in settingsDocuments,
)

/** `GET /api/settings/{name}`: what is saved, or what holds until somebody saves. */
export const getSettings: OwnHandler = async ({ settings }, request, params) => {
  noQuery(request.search)
  return success(await settings.get(nameOf(params)))
}

/** `PUT /api/settings/{name}`: saves the whole document; it holds at once. */
export const saveSettings: OwnHandler = async (context, request, params) => {
  noQuery(request.search)
  const name = nameOf(params)
  // Without the batch code only people can settle what the ledger cannot tell apart.
  // How long people's data is kept is no more a manager's matter.
  if ((name === "points" || name === "retention") && request.user.role !== "admin") {
    throw forbidden("Only an administrator can save this. Nothing was saved.")
  }
  return save(context, request, name)
}

async function save<Name extends SettingsName>(
  context: DeskContext,
  request: DeskRequest,
  name: Name,
): Promise<DeskAnswer> {
  const value = readBody(request.body, documents[name].schema)
  const before = await context.settings.get(name)
  await context.settings.put(name, value)
  return saved(context, request, name, before, value)
}

function nameOf(params: Readonly<Record<string, string>>): SettingsName {
  const name = settingsNames.find((known) => known === params.name)
  if (name === undefined) throw notFound("There are no settings with this name.")
  return name
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
