/**
 * Builds Laurel (`dist/app`) or the demo (`dist/demo`) and compresses what is sent, once, as small as it gets:
 * the server only picks the file. Usage: node scripts/build.ts [app|demo]
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { build } from "vite"

const root = fileURLToPath(new URL("..", import.meta.url))
const name = process.argv[2] ?? "app"
const compressible = /\.(js|css|svg|json|txt|wasm|webmanifest)$/

await build({ root, mode: name === "demo" ? "demo" : "production", logLevel: "warn" })

const out = join(root, "dist", name)
let files = 0
for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !compressible.test(entry.name)) continue
  const file = join(entry.parentPath, entry.name)
  const content = readFileSync(file)
  if (content.length < 1024) continue
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  )
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  files += 1
}
process.stdout.write(`Built dist/${name}, ${files} files compressed.\n`)
