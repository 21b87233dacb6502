import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Request, RequestHandler, Response } from "express"
import * as z from "zod/mini"
import type { Session, SessionUser } from "../../contract/session.ts"
import { AppError } from "../../core/errors.ts"
import type { Sessions } from "../../core/users/accounts.ts"
import { newNonce, pagePolicy } from "./security.ts"
import { sessionFor } from "./session.ts"

export interface PageDeps {
  readonly sessions: Pick<Sessions, "read">
  session(user: SessionUser): Promise<Session>
}

/**
 * Sends the built `index.html` with a nonce, the session as JSON, and links to the route's code and style sheets.
 * `shell` is the same page without a session: the service worker caches it.
 */
export function createPage(folder: string, deps: PageDeps): { page: RequestHandler; shell: RequestHandler } {
  const template = readFileSync(join(folder, "index.html"), "utf8")
  const filesFor = readRouteFiles(folder)
  return {
    page: async (req, res) => {
      const session = await readSession(deps, req, res)
      const links = filesFor(session ? req.path : undefined)
        .map(linkTo)
        .join("")
      const block = session === undefined ? "" : sessionBlock(session)
      const html = withAppearance(template, req.headers.cookie)
      send(
        res,
        html.replace("</head>", () => `${links}</head>`).replace("<body>", () => `<body>${block}`),
      )
    },
    shell: (_req, res) => send(res, template),
  }
}

function send(res: Response, html: string): void {
  const nonce = newNonce()
  res
    .status(200)
    .set("Content-Security-Policy", pagePolicy(nonce))
    .set("Cache-Control", "no-store")
    .type("html")
    .send(html.replaceAll("__CSP_NONCE__", nonce))
}

/** The session, null without a sign-in, undefined when the store failed. */
async function readSession(deps: PageDeps, req: Request, res: Response): Promise<Session | null | undefined> {
  try {
    const { user } = await sessionFor(deps.sessions, req, res)
    return await deps.session(user)
  } catch (error) {
    return error instanceof AppError && error.status === 401 ? null : undefined
  }
}

/** Read by src/api/session.ts. `<` is escaped so that no value can end the element. */
function sessionBlock(session: Session | null): string {
  return `<script type="application/json" id="session">${JSON.stringify(session).replaceAll("<", "\\u003c")}</script>`
}

/** Applies the browser's colour scheme and density (src/lib/colour-scheme.ts), so that no page flashes white. */
function withAppearance(template: string, cookies = ""): string {
  const [, scheme = "auto", density = "compact"] =
    /\blaurel-look=(light|dark|auto)\.(compact|roomy)/.exec(cookies) ?? []
  const page = template.replace("<html ", `<html data-density="${density}" `)
  if (scheme === "auto") return page
  return page
    .replace("<html ", `<html data-mantine-color-scheme="${scheme}" `)
    .replace('content="light dark"', `content="${scheme}"`)
}

/** Vite adds no second link for a style sheet that is in the page. */
function linkTo(file: string): string {
  return file.endsWith(".css")
    ? `<link rel="stylesheet" crossorigin href="/${file}" />`
    : `<link rel="modulepreload" crossorigin href="/${file}" />`
}

const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.optional(z.array(z.string())),
    imports: z.optional(z.array(z.string())),
    dynamicImports: z.optional(z.array(z.string())),
  }),
)

/**
 * Maps a path to the scripts and style sheets of its route and its parent routes, by Vite's manifest and the file names
 * in src/routes. Without a path: those of every page.
 */
function readRouteFiles(folder: string): (path: string | undefined) => readonly string[] {
  const file = join(folder, ".vite", "manifest.json")
  const manifest = existsSync(file) ? manifestSchema.parse(JSON.parse(readFileSync(file, "utf8"))) : {}
  const found = Object.keys(manifest).flatMap((key) => {
    const [, name] = /^src\/routes\/_app\/(.*)\.tsx\?/.exec(key) ?? []
    return name === undefined
      ? []
      : [{ key, name, tokens: name.split(".").filter((token) => token !== "index") }]
  })
  // /orders/ship is not an order.
  const routes = found.toSorted((a, b) => parameters(a) - parameters(b))
  // The entry imports the app dynamically (src/main.ts).
  const app = manifest["index.html"]?.dynamicImports ?? []
  /** Imports first, as Vite orders the style sheets that it loads. */
  const withImports = (keys: readonly string[], visited = new Set<string>()): readonly string[] =>
    keys.flatMap((key) => {
      if (visited.has(key)) return []
      visited.add(key)
      return [...withImports(manifest[key]?.imports ?? [], visited), key]
    })
  return (path) => {
    const segments = path?.split("/").filter((segment) => segment !== "")
    const route = segments && routes.find(({ tokens }) => matches(tokens, segments))
    // `members_.$memberId` is around `members_.$memberId.edit`.
    const parents = routes.filter(({ name }) => route?.name.startsWith(`${name}.`))
    const page = [...(route ? [route] : []), ...parents].map(({ key }) => key)
    const keys = path === undefined ? app : [...app, ...page]
    const chunks = withImports(keys).flatMap((key) => manifest[key] ?? [])
    const styles = new Set(chunks.flatMap(({ css = [] }) => css))
    return [...chunks.map(({ file }) => file), ...styles]
  }
}

function parameters({ tokens }: { readonly tokens: readonly string[] }): number {
  return tokens.filter((token) => token.startsWith("$")).length
}

/** `orders_.$orderId` matches /orders/5. */
function matches(tokens: readonly string[], segments: readonly string[]): boolean {
  return (
    tokens.length === segments.length &&
    tokens.every((token, index) => token.startsWith("$") || token.replace(/_$/, "") === segments[index])
  )
}
