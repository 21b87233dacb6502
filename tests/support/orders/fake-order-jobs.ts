import { addRowsBody, createJobBody, type CreateJobBody } from "../../../contract/job.ts"
import * as z from "zod/mini"
import type { Handlers } from "../test-app.tsx"
import { orderJob } from "./open-orders.tsx"

const inputs = z.array(z.record(z.string(), z.unknown()))

/** A server that accepts one order-update job in parts, as an import sends it. */
export class FakeOrderJobs {
  created: CreateJobBody | undefined
  readonly rows: Record<string, unknown>[] = []

  readonly handlers: Handlers = {
    "POST /api/jobs": ({ body }) => {
      this.created = createJobBody.parse(body)
      return Response.json({ success: true, data: this.#job("draft") }, { status: 201 })
    },
    "POST /api/jobs/J-1/rows": ({ body }) => {
      this.rows.push(...inputs.parse(addRowsBody.parse(body).rows))
      return this.#job("draft")
    },
    "POST /api/jobs/J-1/start": () => this.#job("running"),
    "GET /api/jobs/J-1": () => this.#job("running"),
    "GET /api/jobs/J-1/rows": () =>
      Response.json({ success: true, data: [], meta: { page: 1, per_page: 25, total: 0 } }),
  }

  #job(state: "draft" | "running") {
    const total = this.rows.length
    return orderJob({ state, total, counts: { planned: total } })
  }
}
