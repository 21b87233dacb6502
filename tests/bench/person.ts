import { Pool } from "undici"
import * as z from "zod"

/** A response. */
interface PersonResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** A user signed in to an app, over a kept-alive connection. */
export interface Person {
  /** Headers of every request. */
  readonly own: Readonly<Record<string, string>>
  get(path: string, headers?: Record<string, string>): Promise<PersonResponse>
  post(path: string, body: unknown): Promise<PersonResponse>
  close(): Promise<void>
}

/** Opens a connection without a session; `own` headers are sent with every request. */
export function connect(url: string, own: Readonly<Record<string, string>> = {}): Person {
  return personWith(url, own)
}

/** Signs in. Throws if Laurel refuses. */
export async function signIn(url: string, credentials: { email: string; password: string }): Promise<Person> {
  const connection = connect(url)
  const answer = await connection.post("/api/session", credentials)
  await connection.close()
  return withCookieOf(url, answer)
}

/** Sets the first password through a one-time link, which signs in. */
async function signInByLink(url: string, linkPath: string, password: string): Promise<Person> {
  const connection = connect(url)
  const token = new URLSearchParams(linkPath.split("#")[1]).get("token")
  const answer = await connection.post("/api/session/password", { token, password })
  await connection.close()
  return withCookieOf(url, answer)
}

/** Creates a user as an administrator and signs in as them. */
export async function invite(url: string, administrator: Person, name: string): Promise<Person> {
  const email = `${name.toLowerCase().replaceAll(" ", ".")}@program.example`
  const answer = await administrator.post("/api/users", { name, email, role: "manager" })
  const created = z
    .object({ data: z.object({ link: z.object({ path: z.string() }) }) })
    .parse(JSON.parse(answer.body))
  return signInByLink(url, created.data.link.path, "a-long-bench-password")
}

function withCookieOf(url: string, answer: PersonResponse): Person {
  const set = answer.headers["set-cookie"]
  const cookies = (Array.isArray(set) ? set : [set ?? ""]).map((cookie) => cookie.split(";")[0]).join("; ")
  if (answer.status >= 300 || cookies === "")
    throw new Error(`Not signed in: ${answer.status} ${answer.body}`)
  return personWith(url, { cookie: cookies })
}

function personWith(url: string, own: Readonly<Record<string, string>>): Person {
  const pool = new Pool(url, { connections: 2 })
  const send = async (
    method: "GET" | "POST",
    path: string,
    headers: Record<string, string>,
    body?: string,
  ) => {
    const answer = await pool.request({
      method,
      path,
      headers: { ...own, ...headers },
      headersTimeout: 60_000,
      ...(body === undefined ? {} : { body }),
    })
    return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() }
  }
  return {
    own,
    get: (path, headers = {}) => send("GET", path, headers),
    post: (path, body) =>
      send(
        "POST",
        path,
        { "content-type": "application/json", "x-laurel": "1", origin: url },
        JSON.stringify(body),
      ),
    close: () => pool.close(),
  }
}
