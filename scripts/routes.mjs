/**
 * Writes src/route-tree.gen.ts from the files in src/routes, as the build does, so that types and tests work
 * on a fresh tree without a build. The settings are in tsr.config.json, which the build reads too.
 */
import { mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
// The generator comes with the build's plugin and is of the same version by construction.
const fromPlugin = createRequire(import.meta.resolve("@tanstack/router-plugin/vite"))
const { Generator, getConfig } = fromPlugin("@tanstack/router-generator")

const config = getConfig({}, root)
mkdirSync(config.tmpDir, { recursive: true })
await new Generator({ config, root }).run()
