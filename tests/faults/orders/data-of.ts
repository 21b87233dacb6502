import * as z from "zod/mini"
import type { ApiResponse } from "../../../core/http.ts"

/** The response's data. Throws the response if the status differs. */
export function dataOf<T>(answer: ApiResponse, status: number, schema: z.ZodMiniType<T>): T {
  if (answer.status !== status) throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return z.object({ data: schema }).parse(answer.body).data
}
