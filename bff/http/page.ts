import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Request, RequestHandler, Response } from "express"
import * as z from "zod/mini"
import { limits } from "../../contract/limits.ts"
import type { About, Session, SessionUser } from "../../contract/users.ts"
import { dayAt, dayBeside, startOfDay } from "../../contract/zoned-days.ts"
import type { createCore } from "../../core/app.ts"
import { AppError } from "../../core/errors.ts"
import { type ApiRequest, type ApiResponse, errorResponse, success } from "../../core/http.ts"
import type { Sessions } from "../auth/sessions.ts"
import { newNonce, pagePolicy } from "./security.ts"
import { openSession } from "./session.ts"

/** Whom the page asks for what stands in it. */
export interface PageDeps {
  readonly core: Pick<ReturnType<typeof createCore>, "handle" | "session">
  readonly sessions: Pick<Sessions, "read">
  about(): Promise<About>
}

const noncePlaceholder = "__CSP_NONCE__"

/** What comes with a page: responses that need no service, and addresses of those that the browser has to wait for. */
interface FirstView {
  /** Whether the route's page stands in the frame. */
  readonly framed: boolean
  readonly files: RouteFiles
  readonly responses: readonly (readonly [address: string, response: ApiResponse])[]
  readonly awaited: readonly string[]
}

/**
 * The page: a fresh nonce in every answer and the policy that names it, the files of the address's route, and what that
 * route asks first, as data that nothing runs. It never waits for a service. `shell` is the same for everybody and holds
 * nothing of anybody: the service worker keeps it for when there is no connection (src/service-worker.ts).
 */
export function sendPage(folder: string, deps: PageDeps): { page: RequestHandler; shell: RequestHandler } {
  const built = readFileSync(join(folder, "index.html"), "utf8")
  // Each page names its own.
  const template = built.replaceAll(/\s*<link rel="(?:modulepreload|stylesheet)"[^>]*>/g, "")
  const routes = readRoutes(folder)
  const send = (res: Response, cookies: string | undefined, view: FirstView) => {
    const nonce = newNonce()
    const { files, framed, responses, awaited } = view
    // In the head: sheets that come later are put there too, and have to stand behind these.
    const head = [
      ...files.sheets.map((file) => `<link rel="stylesheet" crossorigin href="/${file}" />`),
      ...awaited.map(
        (address) => `<link rel="preload" as="fetch" crossorigin href="${attribute(address)}" />`,
      ),
      // What is painted first needs the sheets alone.
      ...files.scripts.map(
        (file) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}" />`,
      ),
    ]
    res
      .status(200)
      .set("Content-Security-Policy", pagePolicy(nonce))
      .set("Cache-Control", "no-store")
      .type("html")
      .send(
        dressed(template, cookies)
          .replaceAll(noncePlaceholder, nonce)
          .replace('<div id="root">', (root) => (framed ? root + pageFrame(nonce) : root))
          .replace("</head>", () => `${head.join("")}</head>`)
          .replace("</body>", () => `${responses.map(dataBlock).join("")}</body>`),
      )
  }
  return {
    page: async (req, res) => send(res, req.headers.cookie, await firstView(deps, routes, req, res)),
    shell: (_req, res) =>
      send(res, undefined, { files: routes.ofEveryPage, framed: true, responses: [], awaited: [] }),
  }
}

/** The page in the colours and the density that its browser chose (src/lib/colour-scheme.ts): an attribute, no script. */
function dressed(template: string, cookies = ""): string {
  const [, scheme = "auto", density = "compact"] =
    /\blaurel-look=(light|dark|auto)\.(compact|roomy)/.exec(cookies) ?? []
  const page = template.replace("<html ", `<html data-density="${density}" `)
  if (scheme === "auto") return page
  return page
    .replace("<html ", `<html data-mantine-color-scheme="${scheme}" `)
    .replace('content="light dark"', `content="${scheme}"`)
}

/** A response as a block that no browser runs, under the address it stands for (src/lib/first-responses.ts). */
function dataBlock([address, { status, headers, body, text }]: FirstView["responses"][number]): string {
  // In JSON these letters stand within strings only, where the escape means the same.
  const escaped = (text ?? JSON.stringify(body)).replaceAll(
    /[<>\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
  const facts = `data-address="${attribute(address)}" data-status="${status}" data-age="${headers.Age ?? 0}"`
  return `<script type="application/json" ${facts}>${escaped}</script>`
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")
}

const firstPage = `page=1&per_page=${limits.perPage.default}`
const firstHundred = `page=1&per_page=${limits.perPage.max}`
/** Orders name their rewards from it. */
const rewardNames = `/program/rewards?${firstHundred}`
const ordersToShip = ["pending", "processing"].map(
  (status) => `/program/orders?status=${status}&${firstHundred}`,
)

/**
 * What a page asks first, by its route, in the words of the browser's queries (src/api): a response to another address
 * is never used. Filters and other pages of a list are left to the browser.
 */
const firstReads: Readonly<Record<string, (id: string, session: Session) => readonly string[]>> = {
  // The first ones stand in our own store, so they always come with the page: nothing on it moves for them later.
  index: (_id, { permissions, program }) => [
    "/jobs?state=attention&group=sitting&per_page=50",
    "/jobs?state=active&group=sitting&per_page=50",
    "/notices",
    "/audit?group=sitting&per_page=50",
    "/settings/leaderboardMappings",
    `/reports/points?${new URLSearchParams({ by: "day", from: chartStart(program.time_zone) })}`,
    ...ordersToShip,
    rewardNames,
    // People are counted for those who may filter them.
    ...((permissions["members.search"] ?? "no") === "no" ? [] : [`/program/members?${firstHundred}`]),
    `/program/members?status=pending&${firstPage}`,
    `/program/members?status=inactive&${firstPage}`,
    "/program/leaderboards",
  ],
  members: () => [`/program/members?${firstPage}`],
  orders: () => [`/program/orders?${firstPage}`, rewardNames],
  "orders_.$orderId": (id) => [
    `/audit?kind=order&id=${id}&per_page=50`,
    "/jobs?kind=order-update&group=sitting&per_page=100",
    `/program/orders/${id}`,
  ],
  "orders_.ship": () => [
    "/settings/carriers",
    "/orders/shipped-today",
    "/orders/claims",
    ...ordersToShip,
    rewardNames,
  ],
  rewards: () => [`/program/rewards?${firstPage}`],
  "rewards_.$rewardId": (id) => [`/program/rewards/${id}`],
  cards: () => [`/cards?${firstPage}`, "/cards/facets", "/settings/cardTemplates"],
  leaderboards: () => ["/program/leaderboards"],
  jobs: () => ["/jobs?group=sitting&per_page=50", "/users"],
  "members_.$memberId": (id) => [
    `/program/members/${id}`,
    `/program/members/${id}/balance`,
    `/program/members/${id}/transactions?${firstPage}`,
  ],
}

/** When the chart of the home page begins. */
function chartStart(timeZone: string): string {
  const first = dayBeside(dayAt(Date.now(), timeZone), 1 - limits.chartDays)
  return new Date(startOfDay(first, timeZone)).toISOString()
}

async function firstView(deps: PageDeps, routes: Routes, req: Request, res: Response): Promise<FirstView> {
  const [path, search] = req.originalUrl.split(/[?#]/, 2)
  try {
    const { user } = await openSession(deps.sessions, req, res)
    const { name, id, framed, files } = routes.find(path ?? "")
    const shown = await deps.core.session(user)
    const asked = (search === undefined && firstReads[name]?.(id, shown)) || []
    // The bell stands in every frame; its number is in our own store.
    const reads = framed ? [...asked, "/notices/unread"] : asked
    const found = await Promise.all(
      reads.map(async (address) => {
        const response = await deps.core.handle(cachedRead(address, user, res))
        return [`/api${address}`, response] as const
      }),
    )
    const responses = found.filter(([, { status }]) => status === 200)
    res.locals.personal = responses.some(([, { personal }]) => personal === true)
    return {
      files,
      framed,
      responses: [["/api/session", success(shown)], ...responses],
      awaited: found.filter(([, { status }]) => status === 504).map(([address]) => address),
    }
  } catch (error) {
    const { files } = routes.find(path === "/set-password" ? path : "/sign-in")
    return { files, framed: false, responses: await signedOut(deps, res, error).catch(() => []), awaited: [] }
  }
}

/** Says that nobody is signed in, which is no error here; nothing when that could not be found out. */
async function signedOut(deps: PageDeps, res: Response, error: unknown): Promise<FirstView["responses"]> {
  if (!(error instanceof AppError) || error.status !== 401) return []
  return [
    ["/api/session", errorResponse(error, res.locals.requestId)],
    ["/api/about", success(await deps.about())],
  ]
}

/** A read as the browser would ask for it, for somebody whose session is open; from the cache or not at all. */
function cachedRead(address: string, user: SessionUser, { locals }: Response): ApiRequest {
  const [path = "", search = ""] = address.split("?", 2)
  return {
    method: "GET",
    path,
    search,
    body: undefined,
    user,
    requestId: locals.requestId,
    source: locals.source,
    header: (name) => (name === "cache-control" ? "only-if-cached" : undefined),
    signal: new AbortController().signal,
  }
}

interface RouteFiles {
  readonly scripts: readonly string[]
  readonly sheets: readonly string[]
}

type Routes = ReturnType<typeof readRoutes>

const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    name: z.optional(z.string()),
    imports: z.optional(z.array(z.string())),
    dynamicImports: z.optional(z.array(z.string())),
    css: z.optional(z.array(z.string())),
  }),
)

/** Which built files a page needs, by the manifest of the build and the names of the files in src/routes. */
function readRoutes(folder: string) {
  const manifest = join(folder, ".vite", "manifest.json")
  const chunks = existsSync(manifest) ? manifestSchema.parse(JSON.parse(readFileSync(manifest, "utf8"))) : {}
  // The entry fetches the app once the page was painted.
  const entry = ["index.html", ...(chunks["index.html"]?.dynamicImports ?? [])]
  // The frame's route has a file of its own, or stands in the chunk of that name (vite.config.ts).
  const frame = Object.keys(chunks).filter(
    (key) => chunks[key]?.name === "app" || key.startsWith("src/routes/_app.tsx?"),
  )
  const found = Object.keys(chunks).flatMap((key) => {
    const [, inFrame, name] = /^src\/routes\/(_app\/)?(.*)\.tsx\?/.exec(key) ?? []
    return name === undefined ? [] : [{ key, name, tokens: name.split("."), framed: inFrame !== undefined }]
  })
  const pages = found.toSorted((a, b) => a.name.split("$").length - b.name.split("$").length)

  const filesOf = (keys: readonly string[]): RouteFiles => {
    const seen = new Set<string>()
    const sheets = new Set<string>()
    const add = (key: string) => {
      if (seen.has(key)) return
      seen.add(key)
      for (const imported of chunks[key]?.imports ?? []) add(imported)
      for (const sheet of chunks[key]?.css ?? []) sheets.add(sheet)
    }
    for (const key of keys) add(key)
    const scripts = [...seen].flatMap((key) => chunks[key]?.file ?? [])
    return { scripts, sheets: [...sheets] }
  }

  return {
    ofEveryPage: filesOf([...entry, ...frame]),
    /** The route of a path, the last of its parameters, encoded, and its files; those of every page where it has none. */
    find(path: string) {
      const segments = path.split("/").filter((segment) => segment !== "")
      const page = pages.find(({ tokens }) => fits(tokens, segments))
      if (page === undefined) return { name: "", id: "", framed: false, files: filesOf(entry) }
      const { name, framed } = page
      const around = pages.filter(({ tokens }) => name.startsWith(`${tokens.join(".")}.`))
      const keys = [...around, page].map(({ key }) => key)
      const id = segments.findLast((_, at) => page.tokens[at]?.startsWith("$")) ?? ""
      return { name, id, framed, files: filesOf([...entry, ...(framed ? frame : []), ...keys]) }
    },
  }
}

function fits(tokens: readonly string[], segments: readonly string[]): boolean {
  const named = tokens.at(-1) === "index" ? tokens.slice(0, -1) : tokens
  return (
    named.length === segments.length &&
    named.every((token, at) => token.startsWith("$") || token.replace(/_$/, "") === segments[at])
  )
}

/**
 * The frame of a signed-in person's page, painted before any script is there, in the measures and colours of
 * src/shell and src/tokens.css, so that nothing moves when the app takes its place. Nobody is read it: it says nothing.
 */
function pageFrame(nonce: string): string {
  return `<style nonce="${nonce}">${sheet}</style><div class="first" aria-hidden="true"><div class="first-nav"><b>Laurel</b>${bars(9, "item")}</div><div class="first-main"><div class="first-bar"><span>Search or jump to</span></div>${bars(1, "title")}${bars(12, "row")}</div></div>`
}

function bars(count: number, shape: string): string {
  return `<i class="${shape}"></i>`.repeat(count)
}

const sheet = `
.first { position: fixed; inset: 0; display: grid; grid-template-columns: 224px minmax(0, 1fr); overflow: hidden; background: light-dark(#fff, #101512); color: light-dark(#18201c, #e7eae9); font: 400 13px/20px Arial, "Liberation Sans", Helvetica, sans-serif }
.first-nav { padding: 0 8px; border-inline-end: 1px solid light-dark(#e1e5e3, #252b28); background: light-dark(#f3f7f5, #0a0e0c) }
.first-nav b { display: block; height: 48px; margin-bottom: 8px; padding-inline-start: 40px; font: 600 16px/48px Arial, "Liberation Sans", Helvetica, sans-serif }
.first i { display: block; height: 10px; border-radius: 4px; background: light-dark(#e9eeec, #222926) }
.first .item { width: 96px; margin: 11px 8px 23px 34px }
.first-bar { display: flex; align-items: center; height: 47px; padding: 0 24px; border-bottom: 1px solid light-dark(#e1e5e3, #252b28) }
.first-bar span { flex: 0 1 320px; box-sizing: border-box; height: 32px; padding: 5px 32px; border: 1px solid light-dark(#d0d5d2, #383f3c); border-radius: 6px; background: light-dark(#f9fafa, #0c100e); color: light-dark(#616a66, #949c98) }
.first .title { width: 160px; height: 20px; margin: 24px 24px 64px }
.first .row { margin: 15px 24px }
.first .row:nth-child(even) { margin-inline-end: 30% }
@media (width < 1100px) { .first { grid-template-columns: 56px minmax(0, 1fr) } .first-nav b { font-size: 0 } .first .item { width: 16px; margin-inline: 12px } .first-bar, .first .title, .first .row { margin-inline-start: 0; padding-inline-start: 16px } }
@media (width < 640px) { .first { grid-template-columns: minmax(0, 1fr) } .first-nav { display: none } }
`
