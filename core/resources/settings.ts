import type { JobKind } from "../../contract/job.ts"
import type { LimitsToday } from "../../contract/amount-limits.ts"
import { type Permission, can, roleNames, roleNeeded } from "../../contract/roles.ts"
import { type SettingsName, settingsDocuments } from "../../contract/settings.ts"
import { auditText, entryOf } from "../audit-log.ts"
import type { CoreContext, Handler } from "../context.ts"
import { forbidden, notFound, recorded, stored } from "../errors.ts"
import { type ApiResponse, type ApiRequest, success } from "../http.ts"
import { programDay } from "../jobs/amount-limits.ts"
import { requirePermission } from "../policy.ts"
import { documents } from "../settings.ts"
import { readBody } from "../validation.ts"

const settingsNames = Object.keys(settingsDocuments).filter(
  (name): name is SettingsName => name in settingsDocuments,
)

/** Not for managers: what only people can reconcile, how long data is kept, and how much managers may move. */
const savedByAdmins: ReadonlySet<SettingsName> = new Set(["points", "retention", "limits"])

/** What reading a document needs, where it is not for whoever is signed in: what cards cost is for those who issue them. */
const readBy: Partial<Readonly<Record<SettingsName, Permission>>> = {
  cardTemplates: "cards.read",
  cardCosts: "cards.issue",
  cardPairs: "cards.issue",
}

/** `GET /api/settings/{name}`: what is saved, or what holds until somebody saves. */
export const getSettings: Handler = async ({ settings }, request, params) => {
  const name = nameOf(params)
  const needed = readBy[name]
  if (needed !== undefined) requirePermission(request.user.role, needed, "Nothing was read.")
  return success(await settings.get(name))
}

/** `PUT /api/settings/{name}`: saves the whole document; it holds at once. */
export const saveSettings: Handler = async (context, request, params) => {
  const name = nameOf(params)
  const { role } = request.user
  const needed = savedByAdmins.has(name) ? "admin" : roleNeeded("settings.program")
  if (!can(role, "settings.program") || (needed === "admin" && role !== "admin")) {
    throw forbidden(`This requires the ${roleNames[needed]} role. Nothing was saved.`)
  }
  return save(context, request, name)
}

/** `GET /api/limits`: the limits on amounts, and what the person started today in the program's time zone. */
export const getLimits: Handler = async ({ clock, settings, store }, request) => {
  const { time_zone: zone } = await settings.get("program")
  const { from } = programDay(clock.now(), zone)
  const used = (kinds: readonly JobKind[]) =>
    stored(store.jobs.startedAmount(request.user.id, { kinds, from }))
  return success({
    limits: await settings.get("limits"),
    used: { points: await used(["award", "deduct"]), card_cents: await used(["giftcard"]) },
  } satisfies LimitsToday)
}

async function save<Name extends SettingsName>(
  context: CoreContext,
  request: ApiRequest,
  name: Name,
): Promise<ApiResponse> {
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
  context: CoreContext,
  request: ApiRequest,
  name: SettingsName,
  before: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
): Promise<ApiResponse> {
  const changes = Object.keys(value)
    .filter((field) => before[field] !== value[field])
    .map((field) => ({ field, from: auditText(before[field]), to: auditText(value[field]) }))
  const on = { kind: "settings", id: name, label: null }
  await recorded(
    context.audit.record(entryOf(request, { action: "settings.save", on, outcome: "done", changes })),
  )
  return success(value)
}
