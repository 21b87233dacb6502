import { redirect } from "@tanstack/react-router"
import * as z from "zod/mini"
import type { Session } from "../../contract/session.ts"
import type { ViewedList } from "../../contract/views.ts"
import { isDay, isDayOrMinute } from "../lib/time.ts"

/** Available page sizes. */
export const pageSizes = [10, 25, 50, 100] as const
export type PageSize = (typeof pageSizes)[number]

/**
 * Page number from 1, and page size. Invalid or unrealistically high pages become the first page; an unavailable size
 * becomes the default.
 */
export const pagingParams = {
  page: z._default(z.catch(z.int().check(z.minimum(1), z.maximum(100_000)), 1), 1),
  per_page: z._default(z.catch(z.literal(pageSizes), 25), 25),
}

/** Search parameters without `act` and `for`, which open a drawer above the page, so that it does not render again. */
export const pageSearch = <S extends { act?: unknown; for?: unknown }>({
  act: _act,
  for: _for,
  ...page
}: S) => page

/** Maximum number of parts of a list without pages; beyond it, an earlier period is selected. */
export const mostParts = 20

/** How many parts of such a list are shown. */
export const partsParam = z._default(z.catch(z.int().check(z.minimum(1), z.maximum(mostParts)), 1), 1)

// The router parses `?search=123` as a number and `?search=true` as a boolean; both are text here.
const scalar = z.pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String))

/** A text of at most `most` characters; anything else is dropped. */
export function textParam(most: number) {
  return z.catch(
    z.optional(z.pipe(scalar, z.string().check(z.trim(), z.minLength(1), z.maxLength(most)))),
    undefined,
  )
}

/** One of a few values; anything else is dropped. */
export function choiceParam<const T extends readonly [string, ...string[]]>(values: T) {
  return z.catch(z.optional(z.enum(values)), undefined)
}

/** A day, `2026-11-21`; anything else is dropped. */
const dayParam = z.catch(z.optional(z.string().check(z.refine(isDay))), undefined)

/** Days in the program's time zone, inclusive; either end may be open. */
export const dayParams = { from: dayParam, to: dayParam }

/** A day, or a minute of one, `2026-11-21T14:05`; anything else is dropped. */
const momentParam = z.catch(z.optional(z.string().check(z.refine(isDayOrMinute))), undefined)

/** The same, for a list whose days can have a time. */
export const momentParams = { from: momentParam, to: momentParam }

/** Id of the list's saved view; `noView` if the user selected none. */
export const viewParam = { saved: textParam(100) }
export const noView = "none"

/** Of a page that makes a job: its rows are the members of a saved view, or of a company. */
export const recipientsParams = { view: textParam(100), company: textParam(200) }

/**
 * For a list route's `beforeLoad`: opens the user's default view if the URL has no parameters. Clearing the filters of
 * an open list shows everything.
 */
export function defaultView(list: ViewedList) {
  return (opened: {
    cause: "preload" | "enter" | "stay"
    context: { session: Session }
    location: { pathname: string; search: Readonly<Record<string, unknown>> }
  }) => {
    const { views } = opened.context.session
    if (opened.cause === "stay") return
    const { pathname, search } = opened.location
    const view = views?.all.find(({ id }) => id === views.defaults[list])
    if (view === undefined || pathname !== `/${list}` || Object.keys(search).length > 0) return
    throw redirect({ to: `/${list}`, search: { ...view.search, saved: view.id }, replace: true })
  }
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** A query without undefined values. */
export function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>
}
