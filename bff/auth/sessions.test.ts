import { hashPassword } from "better-auth/crypto"
import { type KyselyPlugin, type RootOperationNode, TableNode } from "kysely"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { demoPassword, demoPeople } from "../../sandbox/seed/people.ts"
import { quietLog } from "../../tests/support/quiet-log.ts"
import { testPlaces } from "../../tests/support/test-stores.ts"
import type { OpenSession } from "../../core/users/accounts.ts"
import type { Engine } from "../store/engine.ts"
import { migrate } from "../store/migrations.ts"
import { openEngine } from "../store/open-store.ts"
import { createAuth } from "./auth.ts"
import { addDemoAccounts } from "./demo-accounts.ts"
import { writePassword } from "./users.ts"

const { newFile, newDatabase } = testPlaces()
const [admin, manager] = demoPeople
const options = {
  secret: "a-secret-of-the-tests-0123456789-abcdef",
  publicOrigin: undefined,
  log: quietLog,
  environment: "sandbox",
} as const

/** Holds the first statement that `matches` after it was carried out, until `release` is called. */
function heldStatement(matches: (node: RootOperationNode) => boolean) {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const heldQueries = new WeakSet()
  let isUsed = false
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      if (!isUsed && matches(node)) {
        isUsed = true
        heldQueries.add(queryId)
      }
      return node
    },
    transformResult: async ({ result, queryId }) => {
      if (!heldQueries.has(queryId)) return result
      reached.resolve()
      await released.promise
      return result
    },
  }
  return { plugin, reached: reached.promise, release: () => released.resolve() }
}

const insertsSession = (node: RootOperationNode) =>
  node.kind === "InsertQueryNode" && node.into !== undefined && nameOf(node.into) === "app_session"

/** The password is verified, its session row is not there yet. */
const readsVerifiedUser = (node: RootOperationNode) =>
  node.kind === "SelectQueryNode" &&
  node.from?.froms.some((one) => TableNode.is(one) && nameOf(one) === "app_user") === true &&
  node.selections?.length === 1 &&
  JSON.stringify(node.where).includes('"id"')

function nameOf(table: TableNode): string {
  return table.table.identifier.name
}

describe.each([
  ["a file", newFile],
  ["PostgreSQL", newDatabase],
])("sessions in %s", (_name, newPlace) => {
  let engine: Engine
  let hash: string
  beforeAll(async () => {
    engine = await openEngine(await newPlace(), quietLog)
    await migrate(engine)
    await addDemoAccounts(engine)
    hash = await hashPassword(demoPassword)
  })
  beforeEach(async () => {
    await writePassword(engine.db, await userId(manager?.email), hash)
    await engine.db.deleteFrom("app_session").execute()
  })
  afterAll(() => engine.close())

  const userId = async (email = "") => {
    const user = (await createAuth({ engine, ...options }).accounts.list()).find((one) => one.email === email)
    return user?.id ?? ""
  }
  const openSessions = async () =>
    (
      await engine.db
        .selectFrom("app_session")
        .select("id")
        .where("user_id", "=", await userId(manager?.email))
        .execute()
    ).length

  /** The manager signs in; at `moment` the sign-in is held while `meanwhile` happens. */
  async function signInHeld(
    moment: (node: RootOperationNode) => boolean,
    password: string,
    meanwhile: (auth: ReturnType<typeof createAuth>) => Promise<unknown>,
  ): Promise<OpenSession | undefined> {
    const hold = heldStatement(moment)
    const slow = createAuth({ engine: { ...engine, db: engine.db.withPlugin(hold.plugin) }, ...options })
    const signingIn = slow.sessions.signIn(manager?.email ?? "", password)
    await hold.reached
    await meanwhile(createAuth({ engine, ...options }))
    hold.release()
    return signingIn
  }

  const moments = [
    ["before its session row exists", readsVerifiedUser],
    ["after its session row exists", insertsSession],
  ] as const

  test.each(moments)("a sign-in with the old password, held %s, does not outlive a reset", async (...at) => {
    const opened = await signInHeld(at[1], demoPassword, async (auth) => {
      const link = await auth.accounts.link(await userId(manager?.email))
      if (typeof link === "string") throw new Error("There was no link.")
      const token = link.path.split("token=")[1] ?? ""
      expect(await auth.setPassword({ token, password: "quite-another-long-password" })).toHaveProperty(
        "email",
      )
    })
    expect(opened).toBeUndefined()
    expect(await openSessions()).toBe(0)
  })

  test.each(moments)("a sign-in held %s does not outlive the account being disabled", async (...at) => {
    const auth = createAuth({ engine, ...options })
    const id = await userId(manager?.email)
    const by = await userId(admin?.email)
    const opened = await signInHeld(at[1], demoPassword, (other) =>
      other.accounts.update(id, { disabled: true }, by),
    )
    await auth.accounts.update(id, { disabled: false }, by)
    expect(opened).toBeUndefined()
    expect(await openSessions()).toBe(0)
  })

  test("a password change ends a sign-in that is being opened with the earlier password", async () => {
    const auth = createAuth({ engine, ...options })
    const own = await auth.sessions.signIn(manager?.email ?? "", demoPassword)
    if (own === undefined) throw new Error("The manager did not sign in.")
    const body = { current_password: demoPassword, new_password: "quite-another-long-password" }
    const opened = await signInHeld(readsVerifiedUser, demoPassword, (other) =>
      other.changePassword(own, body),
    )
    expect(opened).toBeUndefined()
    expect(await openSessions()).toBe(1)
  })
})
