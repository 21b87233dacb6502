import { DatabaseSync } from "node:sqlite"
import type { Sandbox } from "./app.ts"
import type { Change } from "./store/records.ts"

const baseKey = "base\nbase"

/** A file in which a sandbox's changes outlive the process. */
export interface SandboxFile {
  /** Writes what changed since the last save, all of it or nothing; what could not be written is kept for the next. */
  save(): void
  close(): void
}

/**
 * Opens the file of a sandbox, applies it to the seed, and saves further changes in it. The seed itself is
 * not kept: seed, member count and seed time make it again. A file of another seed or count is started afresh.
 * Throws when the file can't be opened or is no database.
 */
export function openSandboxFile(path: string, sandbox: Sandbox): SandboxFile {
  const db = new DatabaseSync(path)
  db.exec("PRAGMA journal_mode = WAL")
  db.exec(
    "CREATE TABLE IF NOT EXISTS changes (kind TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, id))",
  )
  const saved = db
    .prepare("SELECT kind, id, value FROM changes")
    .all()
    .map(({ kind, id, value }) => ({ kind, id, value: JSON.parse(String(value)) as unknown }))
  sandbox.restore(saved)
  const upsert = db.prepare(
    "INSERT INTO changes (kind, id, value) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value",
  )

  /** Changes that are not in the file yet: those of a save that failed stay for the next one. */
  const waiting = new Map<string, Change>()

  function save(): void {
    for (const change of sandbox.changes()) {
      // A base comes with a fresh seed: what was to be written belongs to the one before.
      if (change.kind === "base") waiting.clear()
      waiting.set(`${change.kind}\n${change.id}`, change)
    }
    if (waiting.size === 0) return
    write(waiting.values(), waiting.has(baseKey))
    waiting.clear()
  }

  function write(changes: Iterable<Change>, afresh: boolean): void {
    db.exec("BEGIN IMMEDIATE")
    try {
      if (afresh) db.exec("DELETE FROM changes")
      for (const { kind, id, value } of changes) upsert.run(kind, id, JSON.stringify(value))
      db.exec("COMMIT")
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK")
      throw error
    }
  }

  return {
    save,
    close() {
      save()
      db.close()
    },
  }
}
