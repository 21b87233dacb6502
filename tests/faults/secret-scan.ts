import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import type { Sandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"

/** A text, and where it was found. */
export interface Scanned {
  readonly where: string
  readonly text: string
}

/**
 * Everything that must not be found anywhere: both keys, the token of every redeem link, every digital code. The links
 * are those that the service answers to the requests it got.
 */
export async function secretsOf(sandbox: Sandbox, bodies: Iterable<string>): Promise<ReadonlySet<string>> {
  const secrets = new Set([demoKey])
  sandbox.faults.clear()
  sandbox.settings.replaySendsEmail = false
  for (const body of bodies) {
    const request = new Request("http://sandbox.test/api/v1/external/giftcard/cards", {
      method: "POST",
      headers: { authorization: `Bearer ${demoKey}`, "content-type": "application/json" },
      body,
    })
    const answer = await sandbox.fetch(request)
    // Nothing was issued to it: its reference had a card before.
    if (answer.status === 409) continue
    const link = /"redeemUrl":"([^"]+)"/.exec(await answer.text())?.[1]
    if (link === undefined) throw new Error("The service did not answer a request with its link.")
    secrets.add(link.slice(link.lastIndexOf("/") + 1))
  }
  for (const { code } of sandbox.store.orders.all)
    if (typeof code === "string" && code !== "") secrets.add(code)
  return secrets
}

/** What a link looks like, known or not: no text that Laurel makes may speak of one. */
const shapes = /redeemUrl|redeem\.giftcards/i

/**
 * Which secrets were found where; none is what has to come out. Laurel's own code names the field that it drops, so
 * `code` is looked through for the secrets alone.
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

/** Every file of a folder, as bytes read one by one: a database's text stands in it as it is. */
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
