/**
 * Makes a fresh clone ready before an npm script runs: installs what the lockfile names, builds Laurel or the
 * demo when their sources changed, finds a browser for the browser tests. Plain JavaScript without dependencies,
 * because it runs before anything is installed, on any Node from 20.
 *
 * Usage: node scripts/prepare.mjs [build] [demo] [browser]
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { prepareBrowser } from "./browser.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const wanted = new Set(process.argv.slice(2))

if (Number(process.versions.node.split(".")[0]) < 20) {
  stop(
    `Laurel needs Node 20 or newer; this is Node ${process.versions.node}. Install a newer Node and run it again.`,
  )
}

await waitForLock()
installIfNeeded()
requireNode()
if (wanted.has("build")) buildIfNeeded("app", "dist/app", [])
if (wanted.has("demo")) buildIfNeeded("demo", "dist/demo", ["sandbox", "core", "bff"])
if (wanted.has("browser")) {
  const found = await prepareBrowser(say)
  if (found === undefined) {
    stop(
      "The browser tests need Chromium and none was found or could be installed. " +
        "Install Chromium or Chrome, or set CHROMIUM_PATH to one, and run it again.",
    )
  }
}

/** Two parallel commands in one folder would install over each other: the second one waits. */
async function waitForLock() {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 12)
  const lock = join(tmpdir(), `laurel-preparing-${name}`)
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" })
      process.on("exit", () => rmSync(lock, { force: true }))
      return
    } catch (error) {
      if (error.code !== "EEXIST") return
    }
    if (isForeign(lock)) return
    if (!isRunning(lock)) rmSync(lock, { force: true })
    else if (!waited) say("Another command is preparing this folder; waiting for it ...")
    await wait(500)
  }
}

/** Whether something else has this name: the folder is everybody's, and what is not ours is neither believed nor removed. */
function isForeign(lock) {
  try {
    const found = lstatSync(lock)
    return !found.isFile() || (process.getuid !== undefined && found.uid !== process.getuid())
  } catch {
    return false
  }
}

/** Longer than any preparation takes: its process id may belong to another program by now, in ms. */
const longestTurnMs = 15 * 60_000

/** Whether what took the turn still runs: it may have been killed. */
function isRunning(lock) {
  try {
    const pid = Number(readFileSync(lock, "utf8"))
    if (!Number.isInteger(pid) || pid <= 0) return false
    if (Date.now() - statSync(lock).mtimeMs > longestTurnMs) return false
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === "EPERM"
  }
}

function installIfNeeded() {
  const mark = join(root, "node_modules/.laurel-installed")
  const now = hashOf([join(root, "package-lock.json"), join(root, "package.json")])
  if (existsSync(mark) && readFileSync(mark, "utf8") === now) return
  say("Installing what Laurel is built from (about a minute the first time) ...")
  run(
    "npm",
    ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"],
    "The installation failed; the reason stands above.",
  )
  writeFileSync(mark, now)
}

/** The lockfile brings Node for Linux and Windows; elsewhere the machine's own runs Laurel. */
function requireNode() {
  const name = process.platform === "win32" ? "node.cmd" : "node"
  if (existsSync(join(root, "node_modules/.bin", name))) return
  const [major, minor] = process.versions.node.split(".").map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return
  stop(
    `Laurel brings no Node for this platform (${process.platform} ${process.arch}) and needs 22.18 or newer; this is Node ${process.versions.node}. Install a newer Node and run it again.`,
  )
}

function buildIfNeeded(name, out, further) {
  const mark = join(root, out, ".built-from")
  const sources = ["src", "contract", "public", ...further].flatMap((folder) => filesIn(join(root, folder)))
  const now = hashOf([
    ...sources,
    ...[
      "index.html",
      "vite.config.ts",
      "scripts/build.ts",
      "scripts/sbom.ts",
      "tsr.config.json",
      "package.json",
      "package-lock.json",
    ].map((f) => join(root, f)),
  ])
  if (existsSync(mark) && readFileSync(mark, "utf8") === now) return
  say(`Building the ${name} (about 20 seconds) ...`)
  run("node", ["scripts/build.ts", name], `The ${name} was not built; the reason stands above.`)
  writeFileSync(mark, now)
}

function filesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .toSorted()
}

function hashOf(files) {
  const hash = createHash("sha256")
  for (const file of files) {
    if (!existsSync(file) || !statSync(file).isFile()) continue
    hash.update(file.slice(root.length)).update("\0").update(readFileSync(file)).update("\0")
  }
  return hash.digest("hex")
}

/** Runs a command with the project's own tools first on the path, so that `node` is the version Laurel runs on. */
function run(command, args, sorry) {
  const bin = join(root, "node_modules/.bin")
  const separator = process.platform === "win32" ? ";" : ":"
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
    env: { ...process.env, PATH: `${bin}${separator}${process.env.PATH ?? ""}` },
  })
  if (done.status !== 0) stop(sorry)
}

function say(text) {
  process.stdout.write(`${text}\n`)
}

function stop(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
