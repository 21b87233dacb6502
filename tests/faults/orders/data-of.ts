import * as z from "zod/mini"
import type { ApiResponse } from "../../../core/http.ts"

/** The data of an answer. Throws the answer when it has another status. */
export function dataOf<T>(answer: ApiResponse, status: number, schema: z.ZodMiniType<T>): T {
  if (answer.status !== status)
    throw new Error(`TestResponse ${answer.status}: ${JSON.stringify(answer.body)}`)
  return z.object({ data: schema }).parse(answer.body).data
}
