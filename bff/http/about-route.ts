import type { RequestHandler } from "express"
import type { About } from "../../contract/users.ts"
import type { Auth } from "../auth/auth.ts"
import { success } from "../../core/http.ts"
import { sendAnswer } from "./send-answer.ts"

/** `GET /api/about`, open to everyone: what the sign-in page has to know. */
export function aboutRoute(facts: Pick<About, "version" | "environment">, auth: Auth): RequestHandler {
  return async (req, res) => {
    const help = await auth.signInHelp()
    await sendAnswer(req, res, success({ ...facts, ...help }))
  }
}
