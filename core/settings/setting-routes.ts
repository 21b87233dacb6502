import type { JobKind } from "../../contract/job-kinds.ts"
import { limitedKinds, type LimitsToday } from "../../contract/amount-limits.ts"
import { type Permission, can, roleNames, roleNeeded } from "../../contract/roles.ts"
import { type SettingsName, type SettingsValue, settingsDocuments } from "../../contract/settings.ts"
import { auditText } from "../audit/audit-log.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { forbidden, notFound, stored } from "../errors.ts"
import { type ApiResponse, type ApiRequest, success } from "../http.ts"
import { programDay } from "../jobs/amount-limits.ts"
import { requirePermission } from "../policy.ts"
import { documents } from "./settings.ts"
import { readBody } from "../validation.ts"

export const settingsRoutes: readonly Route[] = [
  // The limits on amounts, and what the person started today.
  route("GET /limits", null, [], async ({ settings, store }, request) => {
    const { time_zone: zone } = await settings.get("program")
    const { from } = programDay(await stored(store.jobs.now()), zone)
    const used = (kinds: readonly JobKind[]) =>
      stored(store.jobs.startedAmount(request.user.id, { kinds, from }))
    return success({
      limits: await settings.get("limits"),
      used: { points: await used(limitedKinds("points")), card_cents: await used(limitedKinds("cents")) },
    } satisfies LimitsToday)
  }),
  route("GET /settings/{name}", null, [], async ({ settings }, request, params) => {
    const name = nameOf(params)
    const needed = readBy[name]
    if (needed !== undefined) requirePermission(request.user.role, needed, "Nothing was read.")
    return success(await settings.get(name))
  }),
  // Which role may save depends on the document.
  route("PUT /settings/{name}", null, [], async (context, request, params) => {
    const name = nameOf(params)
    const { role } = request.user
    const needed = savedByAdmins.has(name) ? "admin" : roleNeeded("settings.program")
    if (!can(role, "settings.program") || (needed === "admin" && role !== "admin")) {
      throw forbidden(`This requires the ${roleNames[needed]} role. Nothing was saved.`)
    }
    return save(context, request, name)
  }),
]

const settingsNames = Object.keys(settingsDocuments).filter(
  (name): name is SettingsName => name in settingsDocuments,
)

/** Not for managers: what only people can reconcile, how long data is kept, and how much managers may move. */
const savedByAdmins: ReadonlySet<SettingsName> = new Set(["points", "retention", "limits"])

/** The permission to read a document, where signing in is not enough: card costs are for roles that issue cards. */
const readBy: Partial<Readonly<Record<SettingsName, Permission>>> = {
  cardTemplates: "cards.read",
  cardCosts: "cards.issue",
  cardPairs: "cards.issue",
}

async function save<Name extends SettingsName>(
  { audit, settings }: CoreContext,
  request: ApiRequest,
  name: Name,
): Promise<ApiResponse> {
  const value: SettingsValue<Name> = readBody(request.body, documents[name].toSave ?? documents[name].schema)
  const before: Readonly<Record<string, unknown>> = await settings.get(name)
  await settings.put(name, value)
  const changes = Object.entries(value)
    .filter(([field, to]) => before[field] !== to)
    .map(([field, to]) => ({ field, from: auditText(before[field]), to: auditText(to) }))
  await audit.recordDone(request, {
    action: "settings.save",
    on: { kind: "settings", id: name, label: settingsDocuments[name].label },
    changes,
  })
  return success(value)
}

function nameOf(params: Readonly<Record<string, string>>): SettingsName {
  const name = settingsNames.find((known) => known === params.name)
  if (name === undefined) throw notFound("There are no settings with this name.")
  return name
}
