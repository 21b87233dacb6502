import * as z from "zod/mini"
import { appError } from "../../contract/response.ts"
import { session, type Session } from "../../contract/session.ts"

/** A response of Laurel. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown
}

/** A request as Laurel's page makes it. */
export interface RequestOptions {
  readonly method?: string
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A signed-in user; requests carry their cookie and the CSRF header. */
export interface Person {
  readonly session: Session
  /** The cookie header, for requests made directly. */
  readonly cookie: string
  /** Requests a path below `/api`, such as `/program/members`. */
  ask(path: string, how?: RequestOptions): Promise<TestResponse>
}

/** Makes a request without a session. */
export async function requestCore(
  url: string,
  path: string,
  how: RequestOptions = {},
): Promise<TestResponse> {
  const response = await fetch(`${url}/api${path}`, {
    method: how.method ?? "GET",
    headers: {
      Accept: "application/json",
      "X-Laurel": "1",
      ...(how.body !== undefined && { "Content-Type": "application/json" }),
      ...how.headers,
    },
    ...(how.body !== undefined && { body: JSON.stringify(how.body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  }
}

/** Signs in. Throws the error code on a refusal. */
export async function signInAs(url: string, email: string, password: string): Promise<Person> {
  return personOf(url, await requestCore(url, "/session", { method: "POST", body: { email, password } }))
}

/** The user of a sign-in response. Throws unless it is a 200. */
export function personOf(url: string, answer: TestResponse): Person {
  if (answer.status !== 200) throw new Error(`Signing in answered ${answer.status}: ${codeOf(answer)}`)
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(";", 1)[0])
    .join("; ")
  return {
    session: dataOf(answer, session),
    cookie,
    ask: (path, how = {}) => requestCore(url, path, { ...how, headers: { Cookie: cookie, ...how.headers } }),
  }
}

/** The response's data, parsed by a schema. */
export function dataOf<T>(answer: TestResponse, schema: z.ZodMiniType<T>): T {
  return z.looseObject({ data: schema }).parse(answer.body).data
}

/** The code of an error response; undefined for any other. */
export function codeOf(answer: TestResponse): string | undefined {
  return appError.safeParse(answer.body).data?.error.code
}
