import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePort } from "../support/child.ts"
import { until } from "./until.ts"

const file = fileURLToPath(new URL("../../deploy/nginx.conf", import.meta.url))
/** The host that the file names. */
export const host = "desk.example.com"
const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]

/** nginx with `deploy/nginx.conf`. */
export interface Nginx {
  readonly port: number
  /** `nginx/1.22.1`. */
  readonly version: string
  /** Made for it: of the file's host and 127.0.0.1, PEM. */
  readonly certificate: string
  stop(): Promise<void>
}

/**
 * Starts nginx with `deploy/nginx.conf`: other ports, another certificate, and these instances (`127.0.0.1:3000`).
 * Undefined where nginx or openssl is not installed. @throws Error with what nginx says about the file
 */
export async function startNginx(instances: readonly string[]): Promise<Nginx | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "laurel-nginx-"))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // The workers may run as another user.
  chmodSync(folder, 0o755)
  const certificate = join(folder, "fullchain.pem")
  const found = spawnSync("nginx", ["-v"], { encoding: "utf8" })
  const keys = ["-keyout", join(folder, "privkey.pem"), "-out", certificate]
  const names = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host},IP:127.0.0.1`]
  const made = spawnSync("openssl", [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "1",
    ...names,
    ...keys,
  ])
  if (found.error !== undefined || made.error !== undefined) {
    remove()
    return undefined
  }
  const [port, plainPort] = [await freePort(), await freePort()]
  const servers = instances.map((one) => `  server ${one} max_fails=0;\n`).join("")
  const conf = readFileSync(file, "utf8")
    .replaceAll("/etc/nginx/tls", folder)
    .replaceAll(/^\s*listen \[::\].*$/gm, "")
    .replace("listen 80;", `listen 127.0.0.1:${plainPort};`)
    .replace("listen 443 ", `listen 127.0.0.1:${port} `)
    .replace(/(?:^ *server [\d.]+:3000 max_fails=0;\n)+/m, servers)
  const main = join(folder, "nginx.conf")
  const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")
  writeFileSync(
    main,
    `${userInfo().uid === 0 ? "user root;" : ""} pid ${folder}/pid; error_log stderr; daemon off; events {} http { access_log off; ${paths}\n${conf}\n}`,
  )
  const args = ["-p", folder, "-e", "stderr", "-c", main]
  const test = spawnSync("nginx", ["-t", ...args], { encoding: "utf8" })
  if (test.status !== 0) {
    remove()
    throw new Error(`nginx -t refuses nginx.conf: ${test.stderr}`)
  }
  const child = spawn("nginx", args, { stdio: "ignore" })
  const end = () => void child.kill("SIGTERM")
  process.once("exit", end)
  const ended = once(child, "exit")
  await until("nginx", 20_000, () => isOpen(port))
  return {
    port,
    version: /nginx\/[\d.]+/.exec(found.stderr)?.[0] ?? "nginx",
    certificate: readFileSync(certificate, "utf8"),
    async stop() {
      process.off("exit", end)
      end()
      await ended
      remove()
    },
  }
}

function isOpen(port: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resolve(true)).once("error", () => resolve(undefined))
    socket.once("connect", () => socket.destroy())
  })
}
