import { can, grantOf } from "../../contract/roles.ts"
import type { SessionUser } from "../../contract/session.ts"
import {
  defaultViewBody,
  type ListView,
  type ListViews,
  listViews,
  viewBody,
  viewedLists,
  viewsNeed,
} from "../../contract/views.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { badRequest, forbidden, notFound, stored } from "../errors.ts"
import { type ApiRequest, type ApiResponse, success } from "../http.ts"
import type { SettingsDocuments } from "../ports.ts"
import { readBody } from "../validation.ts"

/** Of one person, and shared ones. */
const mostViews = 60

export const viewRoutes: readonly Route[] = [
  route("PUT /views/{id}", null, [], async (context, request, { id = "" }) => {
    const body = readBody(request.body, viewBody)
    return change(context, request, id, (own, before) => ({
      ...own,
      view: { ...body, id, by: body.shared && before?.shared === true ? before.by : request.user },
    }))
  }),
  route("DELETE /views/{id}", null, [], (context, request, { id = "" }) =>
    change(context, request, id, (own, before) => {
      if (before === undefined) throw notFound("This view doesn’t exist any more.")
      return own
    }),
  ),
  // The person's default, of shared views too; a deleted view is no default.
  route("PUT /default-views/{list}", null, [], async (context, request, params) => {
    const list = viewedLists.find((name) => name === params.list)
    if (list === undefined) throw notFound("This list has no views.")
    const { view } = readBody(request.body, defaultViewBody)
    return change(context, request, undefined, (own) => {
      const { [list]: _, ...others } = own.defaults
      return { ...own, defaults: view === null ? others : { ...others, [list]: view } }
    })
  }),
]

// Documents of the settings' store that `GET /settings/{name}` does not know.
const ownName = ({ id }: SessionUser) => `views:${id}`
const sharedName = "views"
const none: ListViews = { all: [], defaults: {} }

async function readViews(settings: SettingsDocuments, name: string): Promise<ListViews> {
  return listViews.safeParse(await stored(settings.get(name))).data ?? none
}

/** The views that a person may open; a shared one is not shown to a role that cannot filter or see its list. */
export async function viewsFor({ store: { settings } }: CoreContext, user: SessionUser): Promise<ListViews> {
  const [own, shared] = [await readViews(settings, ownName(user)), await readViews(settings, sharedName)]
  const seen = shared.all.filter(({ list }) => can(user.role, viewsNeed[list]))
  return { all: [...own.all, ...seen], defaults: own.defaults }
}

/**
 * Takes the view of this id out, and puts what `act` gives in its place. @throws AppError 403 for a shared one that is
 * neither the person's own nor theirs to manage
 */
async function change(
  context: CoreContext,
  request: ApiRequest,
  id: string | undefined,
  act: (own: ListViews, before: ListView | undefined) => ListViews & { readonly view?: ListView },
): Promise<ApiResponse> {
  const { audit, events, store } = context
  const { user } = request
  const changing = store.settings.change(sharedName, async (settings) => {
    const [own, shared] = [await readViews(settings, ownName(user)), await readViews(settings, sharedName)]
    const mineBefore = own.all.find((each) => each.id === id)
    const sharedBefore = shared.all.find((each) => each.id === id)
    const before = mineBefore ?? sharedBefore
    const { view, ...after } = act(own, before)
    // The browser makes the id: a private view may carry that of a view which another person has shared meanwhile.
    const replaced = view?.shared === true && mineBefore !== undefined ? sharedBefore : undefined
    if (replaced !== undefined && replaced.by.id !== user.id)
      throw forbidden(
        "Another person has shared a view under this id. Nothing was saved. Save yours as a new view.",
      )
    for (const each of [before, view]) if (each?.shared === true) requireShared(user, each)
    const next = (all: readonly ListView[], isShared: boolean) => {
      const rest = all.filter((each) => each.id !== id)
      const views = view?.shared === isShared ? [...rest, view] : rest
      if (views.length > mostViews)
        throw badRequest(`There are ${mostViews} views already. Delete one first.`)
      return views
    }
    const [mine, everybodys] = [next(own.all, false), next(shared.all, true)]
    await settings.put(ownName(user), listViews.parse({ ...after, all: mine }))
    if (before?.shared !== true && view?.shared !== true) return []
    await settings.put(sharedName, listViews.parse({ ...none, all: everybodys }))
    return [{ field: (view ?? before)?.list ?? "", from: nameOf(before), to: nameOf(view) }]
  })
  const changes = await stored(changing)
  if (changes.length > 0) {
    const on = { kind: "settings", id: sharedName, label: "Shared views" } as const
    await audit.recordDone(request, { action: "settings.save", on, changes })
  }
  events.publish({ topic: "settings", id: sharedName })
  return success(await viewsFor(context, user))
}

const nameOf = (view: ListView | undefined) => (view?.shared === true ? view.name : null)

function requireShared({ id, role }: SessionUser, { by }: ListView): void {
  const grant = grantOf(role, "views.share")
  if (grant === "yes" || (grant === "own" && by.id === id)) return
  throw forbidden("Only managers and the person who shared a view can change it. Nothing was saved.")
}
