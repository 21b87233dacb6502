/**
 * Builds Laurel (`dist/app`) or the demo (`dist/demo`) and compresses what is sent, once, as small as it gets:
 * the server only picks the file. For Laurel it also writes the list of its packages (`dist/sbom.cdx.json`,
 * `dist/licences.md`). Usage: node scripts/build.ts [app|demo]
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { build } from "vite"
import * as z from "zod/mini"
import { billOfMaterials, licencesOf } from "./sbom.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const name = process.argv[2] ?? "app"
const compressible = /\.(js|css|svg|json|txt|wasm|webmanifest)$/

await build({ root, mode: name === "demo" ? "demo" : "production", logLevel: "warn" })

const out = join(root, "dist", name)
if (name === "demo") {
  writePreloads()
  writeSignpost()
} else {
  writeBill()
}
let files = 0
for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !compressible.test(entry.name)) continue
  const file = join(entry.parentPath, entry.name)
  const content = readFileSync(file)
  if (content.length < 256) continue
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  )
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  files += 1
}

/** Lists the packages of the server and the pages, for scanners and for people. */
function writeBill() {
  const bill = billOfMaterials()
  const rows = licencesOf(bill).map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`)
  const heading = [
    "# Packages that Laurel consists of",
    "",
    "| package | version | licence |",
    "| --- | --- | --- |",
  ]
  writeFileSync(join(root, "dist/sbom.cdx.json"), `${JSON.stringify(bill, null, 2)}\n`)
  writeFileSync(join(root, "dist/licences.md"), `${[...heading, ...rows].join("\n")}\n`)
}

/**
 * Preloads in the demo page what its start would load one after the other: the app, the services with the core, SQLite
 * and the page to sign in. Over a slow line that saves three round trips.
 */
function writePreloads() {
  const entry = z.object({
    file: z.string(),
    imports: z.optional(z.array(z.string())),
    css: z.optional(z.array(z.string())),
    assets: z.optional(z.array(z.string())),
  })
  const manifest = z
    .record(z.string(), entry)
    .parse(JSON.parse(readFileSync(join(out, ".vite/manifest.json"), "utf8")))
  const keys = new Set(
    Object.keys(manifest).filter((key) => /^_framework-|^src\/(demo\/start|routes\/sign-in)\./.test(key)),
  )
  for (const key of keys) for (const imported of manifest[key]?.imports ?? []) keys.add(imported)
  const found = [...keys].flatMap((key) => manifest[key] ?? [])
  const page = join(out, "index.html")
  const html = readFileSync(page, "utf8")
  const links = [
    ...found
      .filter(({ file }) => file.endsWith(".js"))
      .map(({ file }) => ({ file, as: `rel="modulepreload"` })),
    ...found.flatMap(({ css = [] }) => css.map((file) => ({ file, as: `rel="preload" as="style"` }))),
    ...found
      .flatMap(({ assets = [] }) => assets.filter((file) => file.endsWith(".wasm")))
      .map((file) => ({ file, as: `rel="preload" as="fetch"` })),
  ].filter(({ file }) => !html.includes(file))
  const lines = links.map(({ file, as }) => `    <link ${as} crossorigin href="./${file}">\n`)
  writeFileSync(
    page,
    html.replace("  </head>", () => `${lines.join("")}  </head>`),
  )
}

/**
 * Writes the page that a static host shows for addresses it has no file for. It leads to the demo, which is at the
 * nearest folder above that has this build, and hands the address on in a part that no host is sent.
 */
function writeSignpost() {
  const page = readFileSync(join(out, "index.html"), "utf8")
  const entry = /<script type="module"[^>]* src="\.\/([^"]+)"/.exec(page)?.[1]
  if (entry === undefined) throw new Error("The page of the demo names no script.")
  const script = `
    const { pathname, search, hash } = location
    const folders = pathname.split("/").slice(1, -1)
    const lead = async () => {
      for (let count = folders.length; count >= 0; count -= 1) {
        const root = "/" + folders.slice(0, count).map((folder) => folder + "/").join("")
        const { ok } = await fetch(root + ${JSON.stringify(entry)}, { method: "HEAD" })
        if (ok) return location.replace(root + "#/" + pathname.slice(root.length) + search + hash)
      }
      document.body.textContent = "There is no page at this address."
    }
    lead()
  `
  const noScript = "<noscript>Laurel needs JavaScript. Turn it on for this page and reload it.</noscript>"
  writeFileSync(
    join(out, "404.html"),
    `<!doctype html>\n<html lang="en-AU">\n  <head>\n    <meta charset="utf-8" />\n    <title>Laurel</title>\n    <meta name="color-scheme" content="light dark" />\n  </head>\n  <body>${noScript}<script>${script}</script></body>\n</html>\n`,
  )
  // GitHub's pages leave out files whose names begin with an underscore unless this one is there.
  writeFileSync(join(out, ".nojekyll"), "")
}

process.stdout.write(`Built dist/${name}, ${files} files compressed.\n`)
