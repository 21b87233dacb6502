import { createdUser } from "../../contract/users.ts"
import { type TestResponse, requestCore, dataOf, type Person, personOf } from "./person.ts"

/** Password of every user created here. */
export const newPassword = "a-long-enough-password"

/** Creates a user who has set a password through the invitation link. */
export async function newUser(
  url: string,
  admin: Person,
  role: string,
): Promise<{ id: string; email: string; token: string; person: Person }> {
  const email = `${crypto.randomUUID()}@laurel.example`
  const made = await admin.ask("/users", { method: "POST", body: { name: "Sam Okafor", email, role } })
  const { user, link } = dataOf(made, createdUser)
  const token = tokenOf(link.path)
  const person = personOf(url, await setPassword(url, token))
  return { id: user.id, email, token, person }
}

export function setPassword(url: string, token: string, more: object = {}): Promise<TestResponse> {
  const body = { token, password: newPassword, ...more }
  return requestCore(url, "/session/password", { method: "POST", body })
}

/** Token in the path of a one-time link. */
export function tokenOf(path: string): string {
  return new URLSearchParams(path.slice(path.indexOf("#") + 1)).get("token") ?? ""
}
