import * as z from "zod/mini"
import { requiredText } from "./program/common.ts"
import type { Permission } from "./roles.ts"

/** Lists with saved views, at `/{list}`, and the permission to see other people's shared ones. */
export const viewedLists = ["members", "orders", "rewards", "cards", "jobs", "audit"] as const
export type ViewedList = (typeof viewedLists)[number]
export const viewsNeed = {
  members: "members.search",
  orders: "orders.read",
  rewards: "rewards.read",
  cards: "cards.read",
  jobs: "jobs.read",
  audit: "audit.read",
} as const satisfies Readonly<Record<ViewedList, Permission>>

/** In px. */
export const [leastWidth, mostWidth] = [56, 800]

/** Changes to the default columns: shown or hidden, order, and widths in px, by column id. */
export const columnLayout = z.object({
  shown: z.record(z.string(), z.boolean()),
  order: z.array(z.string()),
  widths: z.record(z.string(), z.number().check(z.minimum(leastWidth), z.maximum(mostWidth))),
})
export type ColumnLayout = z.output<typeof columnLayout>

const view = {
  list: z.enum(viewedLists),
  name: requiredText("a name", 60),
  shared: z.boolean(),
  /** Search parameters of the list's address: filters, order, tab. */
  search: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  columns: columnLayout,
}

/** Of a view as JSON, in characters. */
const longestView = 4000

/** Body of `PUT /api/views/{id}`; the browser makes the id of a new one. */
export const viewBody = z
  .strictObject(view)
  .check(z.refine((body) => JSON.stringify(body).length <= longestView, "The view is too long to be saved."))
export type ViewBody = z.output<typeof viewBody>

/** A saved view of a list; a shared one is everybody's to open. */
const listView = z.object({
  ...view,
  id: z.string(),
  by: z.object({ id: z.string(), name: z.string() }),
})
export type ListView = z.output<typeof listView>

/** The views that a person may open, and by list the id of the one it opens with. */
export const listViews = z.object({ all: z.array(listView), defaults: z.record(z.string(), z.string()) })
export type ListViews = z.output<typeof listViews>

/** Body of `PUT /api/default-views/{list}`; null: the list opens without one. */
export const defaultViewBody = z.strictObject({ view: z.nullable(z.string().check(z.maxLength(100))) })
