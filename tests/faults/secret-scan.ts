import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import type { Sandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"

/** A text and its source. */
export interface Scanned {
  readonly where: string
  readonly text: string
}

/**
 * All secrets: both API keys, the token of every redeem link, every digital code. The links come from replaying the
 * issue requests.
 */
export async function secretsOf(sandbox: Sandbox, bodies: Iterable<string>): Promise<ReadonlySet<string>> {
  const secrets = new Set([demoKey])
  sandbox.faults.clear()
  for (const body of bodies) {
    const request = new Request("http://sandbox.test/api/v1/external/giftcard/cards", {
      method: "POST",
      headers: { authorization: `Bearer ${demoKey}`, "content-type": "application/json" },
      body,
    })
    const answer = await sandbox.fetch(request)
    // Not issued: its reference already had a card.
    if (answer.status === 409) continue
    const link = /"redeemUrl":"([^"]+)"/.exec(await answer.text())?.[1]
    if (link === undefined) throw new Error("The service did not answer a request with its link.")
    secrets.add(link.slice(link.lastIndexOf("/") + 1))
  }
  for (const { code } of sandbox.store.orders.all)
    if (typeof code === "string" && code !== "") secrets.add(code)
  return secrets
}

/** Any redeem link; no text of Laurel may mention one. */
const shapes = /redeemUrl|redeem\.giftcards/i

/**
 * A sentence for each secret found. With `code`, only the secrets are searched: Laurel's own code names the link
 * field that it drops.
 */
export function findSecrets(
  secrets: ReadonlySet<string>,
  texts: Iterable<Scanned>,
  { code = false }: { readonly code?: boolean } = {},
): string[] {
  const found: string[] = []
  for (const { where, text } of texts) {
    for (const secret of secrets)
      if (text.includes(secret)) found.push(`${where} holds ${secret.slice(0, 4)}…`)
    if (!code && shapes.test(text)) found.push(`${where} speaks of a redeem link`)
  }
  return found
}

/** Every file of a folder as Latin-1: a database stores text uncompressed. */
export function* filesOf(folder: string): Generator<Scanned> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    yield { where: entry.name, text: readFileSync(path).toString("latin1") }
  }
}

/** Every row of every table of a PostgreSQL database. */
export async function tablesOf(databaseUrl: string): Promise<Scanned[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    )
    const tables: Scanned[] = []
    for (const { name } of rows) {
      const all = await client.query(`select * from "${name}"`)
      tables.push({ where: `table ${name}`, text: JSON.stringify(all.rows) })
    }
    return tables
  } finally {
    await client.end()
  }
}
