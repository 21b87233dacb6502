import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { isIPv6 } from "node:net"
import type { Kysely } from "kysely"
import type { Attempt, Auth } from "../../core/users/accounts.ts"
import type { Engine } from "../store/engine.ts"
import type { Database } from "../store/schema.ts"

/** Wrong passwords before the next attempt is delayed or refused. Only failed attempts count. */
export interface SignInLimits {
  /** For one account from all unknown addresses together, before each further attempt has to wait. */
  readonly perAccount: number
  /** For one account from one address, in a quarter of an hour. */
  readonly perPerson: number
  /** From one address altogether, in a quarter of an hour: passwords are not tried on many accounts either. */
  readonly perAddress: number
}

/** `delay`: each failure beyond `free` makes the next attempt wait longer. `window`: refused beyond `free`. */
type Lane = Readonly<{ key: string; rule: "delay" | "window"; free: number }>

type Counted = Database["sign_in_attempt"]

const windowMs = 15 * 60_000
/** One failure of a `delay` lane is forgotten each minute. */
const forgiveEveryMs = 60_000
const longestDelayMs = 30_000
/** More failures than this are not remembered: after an attack the delay is gone within this many minutes. */
const mostFailures = 30
const keptMs = 60 * 60_000
const browserDays = 180
const mostAccounts = 5

/**
 * Slows password guessing down without locking anybody out (docs/security.md, Signing in). A browser that has signed
 * in to the account before is counted separately, so other browsers' attempts never block it.
 */
export function createSignInThrottle(options: {
  readonly engine: Engine
  /** The secret of the session cookies: signs the browser cookie and hashes the keys of the table. */
  readonly secret: string
  readonly publicOrigin: string | undefined
  readonly signInLimits?: SignInLimits | undefined
}): Auth["throttle"] {
  const { engine, secret, publicOrigin } = options
  const limits = options.signInLimits ?? { perAccount: 10, perPerson: 10, perAddress: 50 }
  const secure = publicOrigin?.startsWith("https://") ?? false
  const cookieName = `${secure ? "__Secure-" : ""}laurel.browser`
  const sign = (...parts: readonly string[]) =>
    createHmac("sha256", `${secret} sign-in`).update(parts.join("\n")).digest("base64url")

  async function take(...lanes: Lane[]): Promise<Attempt> {
    // A throttled attempt costs one read and no lock.
    const early = longestWait(lanes, await readLanes(engine.db, lanes), await engine.now())
    if (early > 0) return { waitMs: early }
    const late = await engine.db.transaction().execute(async (within) => {
      const now = await engine.lock(within, "sign-in")
      const before = await readLanes(within, lanes)
      const wait = longestWait(lanes, before, now)
      if (wait === 0) await count(within, lanes, before, now)
      return wait
    })
    return late > 0 ? { waitMs: late } : { succeeded: () => forget(engine, lanes) }
  }

  return {
    signIn({ email, address, cookieHeader }) {
      const account = email.trim().toLowerCase()
      const browser = readBrowser(cookieHeader, cookieName)
      if (browser?.signatures.some((given) => isSame(given, sign("browser", browser.id, account)))) {
        return take({ key: sign("known", browser.id, account), rule: "delay", free: limits.perAccount })
      }
      const network = networkOf(address)
      return take(
        { key: sign("address", network), rule: "window", free: limits.perAddress },
        { key: sign("person", network, account), rule: "window", free: limits.perPerson },
        { key: sign("account", account), rule: "delay", free: limits.perAccount },
      )
    },
    link: (address) =>
      take({ key: sign("link", networkOf(address)), rule: "window", free: limits.perAddress }),
    ownPassword: (userId) => take({ key: sign("own", userId), rule: "delay", free: limits.perAccount }),
    browserCookie(email, cookieHeader) {
      const known = readBrowser(cookieHeader, cookieName)
      const id = known?.id ?? randomBytes(18).toString("base64url")
      const own = sign("browser", id, email.toLowerCase())
      const others = known?.signatures.filter((signature) => signature !== own) ?? []
      const value = [id, own, ...others.slice(0, mostAccounts - 1)].join(".")
      const rules = `Max-Age=${browserDays * 86_400}; Path=/api/session; HttpOnly; SameSite=Lax`
      return `${cookieName}=${value}; ${rules}${secure ? "; Secure" : ""}`
    },
  }
}

/** What counts as one address: an IPv6 customer has a whole /56 network to try from. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = "", tail] = address.split("::")
  const groups = head === "" ? [] : head.split(":")
  const after = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => "0")
  const bits = [...groups, ...(tail === undefined ? [] : zeros), ...after].slice(0, 4)
  const digits = bits.map((group) => group.padStart(4, "0")).join("")
  return digits.slice(0, 14)
}

function readBrowser(header: string | undefined, name: string) {
  const found = header?.split(/;\s*/).find((cookie) => cookie.startsWith(`${name}=`))
  const [id, ...signatures] = found?.slice(name.length + 1).split(".") ?? []
  if (id === undefined || !/^[\w-]{24}$/.test(id)) return undefined
  return { id, signatures: signatures.slice(0, mostAccounts) }
}

function isSame(given: string, own: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(own)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function failuresNow({ rule }: Lane, counted: Counted, now: number): number {
  if (rule === "window") return now - counted.first_at < windowMs ? counted.failures : 0
  return Math.max(0, counted.failures - Math.floor(Math.max(0, now - counted.last_at) / forgiveEveryMs))
}

/** ms until every lane takes another attempt; 0 when they do. */
function longestWait(lanes: readonly Lane[], counts: ReadonlyMap<string, Counted>, now: number): number {
  const waits = lanes.map((lane) => {
    const counted = counts.get(lane.key)
    const beyond = counted === undefined ? -1 : failuresNow(lane, counted, now) - lane.free
    if (counted === undefined || beyond < 0) return 0
    if (lane.rule === "window") return counted.first_at + windowMs - now
    // 1 s after the last free failure, then twice as long each time.
    const delay = Math.min(longestDelayMs, 1000 * 2 ** beyond)
    return Math.min(delay, Math.max(0, counted.last_at + delay - now))
  })
  return Math.max(0, ...waits)
}

async function readLanes(db: Kysely<Database>, lanes: readonly Lane[]): Promise<Map<string, Counted>> {
  const keys = lanes.map(({ key }) => key)
  const rows = await db.selectFrom("sign_in_attempt").selectAll().where("key", "in", keys).execute()
  return new Map(rows.map((row) => [row.key, row]))
}

async function count(
  within: Kysely<Database>,
  lanes: readonly Lane[],
  before: ReadonlyMap<string, Counted>,
  now: number,
): Promise<void> {
  const forgotten = now - keptMs
  await within.deleteFrom("sign_in_attempt").where("last_at", "<", forgotten).execute()
  for (const lane of lanes) {
    const known = before.get(lane.key)
    const counting = known === undefined ? 0 : failuresNow(lane, known, now)
    const failures = Math.min(mostFailures + lane.free, counting + 1)
    const first_at = counting === 0 ? now : (known?.first_at ?? now)
    const values = { failures, first_at, last_at: now }
    await within
      .insertInto("sign_in_attempt")
      .values({ key: lane.key, ...values })
      .onConflict((conflict) => conflict.column("key").doUpdateSet(values))
      .execute()
  }
}

/** A right password clears the account's failures; an address gets back the one attempt that was counted. */
async function forget(engine: Engine, lanes: readonly Lane[]): Promise<void> {
  await engine.db.transaction().execute(async (within) => {
    await engine.lock(within, "sign-in")
    for (const { key, rule } of lanes) {
      const counted = within.updateTable("sign_in_attempt").where("key", "=", key).where("failures", ">", 0)
      if (rule === "delay") await within.deleteFrom("sign_in_attempt").where("key", "=", key).execute()
      else await counted.set((eb) => ({ failures: eb("failures", "-", 1) })).execute()
    }
  })
}
