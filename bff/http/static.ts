import { existsSync } from "node:fs"
import { join } from "node:path"
import { Router, type RequestHandler } from "express"
import sirv from "sirv"
import { createPage, type PageDeps } from "./page.ts"
import { workerPolicy } from "./security.ts"

const year = 31_536_000

/** What was built: `/assets` never changes under its names, other files may, everything else is the page itself. */
export function staticFiles(folder: string, deps: PageDeps): Router {
  const router = Router()
  if (!existsSync(join(folder, "index.html"))) {
    router.use((_req, res) => {
      res
        .status(503)
        .type("text/plain")
        .send("Laurel isn’t built yet. Run `npm run build` in its folder, then start it again.\n")
    })
    return router
  }
  const { page, shell } = createPage(folder, deps)
  const common = { brotli: true, gzip: true, extensions: [] }
  router.use((req, res, next) => {
    if (req.method === "GET" || req.method === "HEAD") next()
    else res.status(405).set("Allow", "GET, HEAD").end()
  })
  router.get(["/", "/index.html"], page)
  router.get("/shell.html", shell)
  router.get("/sw.js", (_req, res, next) => {
    res.set("Content-Security-Policy", workerPolicy)
    next()
  })
  router.use(surviveReplacement)
  router.use(
    "/assets",
    sirv(join(folder, "assets"), { ...common, immutable: true, maxAge: year }),
    noSuchFile,
  )
  router.use(sirv(folder, { ...common, etag: true, maxAge: 0 }))
  router.use((req, res, next) => {
    // A missing picture or script is a 404, not the page; navigation requests HTML.
    return (req.accepts(["html", "json"]) === "html" ? page : noSuchFile)(req, res, next)
  })
  return router
}

/** A file deleted by a new build before it is opened ends its response and not the process. */
const surviveReplacement: RequestHandler = (_req, res, next) => {
  res.once("pipe", (file) => file.on("error", () => res.destroy()))
  next()
}

const noSuchFile: RequestHandler = (_req, res) => {
  res.status(404).set("Cache-Control", "no-store").type("text/plain").send("There is no such file.\n")
}
