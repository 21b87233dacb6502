import { randomBytes } from "node:crypto"
import { Client } from "pg"
import { startPostgresServer, type PostgresServer } from "./postgres-server.ts"

/** A PostgreSQL server for tests. */
export interface TestPostgres {
  /** Creates an empty database; returns its URL. */
  createDatabase(): Promise<string>
  /** Terminates every connection to a database, as a server restart does. */
  cutConnections(databaseUrl: string): Promise<void>
  /** Restarts the server; one that was given by `TEST_DATABASE_URL` only loses the database's connections. */
  restart(databaseUrl: string): Promise<void>
  /** Drops the databases created here. */
  stop(): Promise<void>
}

/** Uses `TEST_DATABASE_URL`, or starts a server. Throws if neither is possible. */
export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env["TEST_DATABASE_URL"]
  const server =
    given === undefined ? await startOwn() : { url: given, restart: undefined, stop: async () => {} }
  const made: string[] = []
  const execute = async (text: string, values: string[] = []) => {
    const client = new Client({ connectionString: server.url })
    await client.connect()
    try {
      await client.query(text, values)
    } finally {
      await client.end()
    }
  }
  const cutConnections = (databaseUrl: string) =>
    execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
      nameOf(databaseUrl),
    ])
  return {
    createDatabase: async () => {
      const name = `laurel_test_${randomBytes(6).toString("hex")}`
      await execute(`create database ${name}`)
      made.push(name)
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
    },
    cutConnections,
    restart: (databaseUrl) => server.restart?.() ?? cutConnections(databaseUrl),
    stop: async () => {
      if (given !== undefined) for (const name of made) await execute(`drop database ${name} with (force)`)
      await server.stop()
    },
  }
}

function nameOf(databaseUrl: string): string {
  return new URL(databaseUrl).pathname.slice(1)
}

async function startOwn(): Promise<PostgresServer> {
  try {
    return await startPostgresServer()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `No PostgreSQL for the tests: the installed one did not start (${reason}). Set TEST_DATABASE_URL to a server on which databases may be created.`,
      { cause: error },
    )
  }
}
