import { can, roleNames, roleNeeded } from "../../contract/roles.ts"
import type { DeskContext } from "../context.ts"
import { DeskFailure, forbidden, methodNotAllowed, notFound } from "../errors.ts"
import type { DeskAnswer, DeskRequest } from "../http.ts"
import { matchOperation } from "../match.ts"
import { writeActs } from "../members/member-edits.ts"
import { isPersonal, type JobOperation, type Operation, type ReadOperation } from "../policy.ts"
import { noQuery, readQuery } from "../validation.ts"
import { notConnected } from "./caller.ts"
import { renderRead } from "./render.ts"
import { planRead, type ReadPlan } from "./upstream-read.ts"

/**
 * Carries a request to a service, if the policy table has a row for it and the person's role the permission.
 * @throws DeskFailure
 */
export async function handleService(context: DeskContext, request: DeskRequest): Promise<DeskAnswer> {
  const address = `${request.user.role} ${request.method} ${request.path}?${request.search}`
  const known = planned.get(address)
  if (known !== undefined && isConnected(context, known.operation)) {
    return await answerRead(context, request, known)
  }
  const match = matchOperation(request.method, request.path)
  if ("allowed" in match) {
    throw match.allowed.length === 0 ? notFound() : methodNotAllowed(match.allowed)
  }
  const { operation } = match
  requirePermission(request, operation)
  if (operation.kind === "job") throw throughJobs(operation)
  if (!isConnected(context, operation)) throw notConnected(operation.api)
  if (operation.kind === "read") {
    const plan = planRead(operation, match.params, queryOf(request, operation))
    if (planned.size >= mostPlanned) planned.clear()
    planned.set(address, plan)
    return answerRead(context, request, plan)
  }
  noQuery(request.search)
  return writeActs[operation.act]({ context, request, operation, params: match.params })
}

/** Reads that were allowed, by role and address: the same few are asked all day and always mean the same. */
const planned = new Map<string, ReadPlan>()
const mostPlanned = 500

async function answerRead(context: DeskContext, request: DeskRequest, plan: ReadPlan): Promise<DeskAnswer> {
  const { role, id, name } = request.user
  const result = await context.reads.read(plan, {
    person: { id, name },
    fresh: request.header("cache-control")?.includes("no-cache") === true,
    signal: request.signal,
  })
  const ifNoneMatch = request.header("if-none-match")
  const reader = { role, ifNoneMatch, now: context.clock.monotonic() }
  const answer = renderRead(result, plan.operation.redacts, reader)
  return isPersonal(plan.operation) ? { ...answer, personal: true } : answer
}

function isConnected({ config }: DeskContext, { api }: Operation): boolean {
  return config.apis[api] !== null
}

/**
 * The parameters of a read, as far as the person may send them.
 * @throws DeskFailure 400, 403
 */
export function queryOf(request: DeskRequest, operation: ReadOperation): Readonly<Record<string, unknown>> {
  if (operation.query === undefined) {
    noQuery(request.search)
    return {}
  }
  const { narrow } = operation
  if (narrow !== undefined && !can(request.user.role, narrow.needs)) {
    const beyond = [...new URLSearchParams(request.search).keys()].find(
      (name) => !narrow.keeps.includes(name),
    )
    if (beyond !== undefined) {
      throw forbidden(
        `Your role sees the unfiltered list: filtering by ${beyond} requires the ${roleNames[roleNeeded(narrow.needs)]} role. Nothing was read.`,
      )
    }
  }
  return readQuery(request.search, operation.query)
}

/** @throws DeskFailure 403 when the person's role lacks the operation's permission */
export function requirePermission(request: DeskRequest, operation: Operation): void {
  if (can(request.user.role, operation.permission)) return
  throw forbidden(
    `This requires the ${roleNames[roleNeeded(operation.permission)]} role. Nothing was read and nothing was sent.`,
  )
}

function throughJobs(operation: JobOperation): DeskFailure {
  return new DeskFailure({
    status: 405,
    code: "use_jobs",
    message: `This has to be sent as a job: POST /api/jobs with kind "${operation.job}". Nothing was sent.`,
    details: { jobs: "/api/jobs", kind: operation.job },
    headers: { Allow: "" },
  })
}
