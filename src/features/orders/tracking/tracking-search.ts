import * as z from "zod/mini"

/** What the page shows of the file: its rows, or what they change. */
const trackingViews = ["rows", "changes"] as const
/** What the page shows of the file. */
export type TrackingView = (typeof trackingViews)[number]

/** Address of the page. */
export const trackingSearch = z.object({ view: z._default(z.catch(z.enum(trackingViews), "rows"), "rows") })
