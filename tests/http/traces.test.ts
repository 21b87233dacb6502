import { AsyncLocalStorage } from "node:async_hooks"
import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  trace,
  TraceFlags,
  type Tracer,
} from "@opentelemetry/api"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Person } from "../support/person.ts"
import { startApp, type TestApp } from "../support/server.ts"

interface EndedSpan {
  readonly name: string
  readonly attributes: Attributes
  readonly traceId: string
  readonly parent: string | undefined
}

/** As much of an SDK as tells which spans were made, under which parent. */
const ended: EndedSpan[] = []
const stored = new AsyncLocalStorage<Context>()
let made = 0

function startSpan(name: string, options: SpanOptions = {}, from: Context = context.active()): Span {
  const parent = trace.getSpanContext(from)
  made += 1
  const spanContext: SpanContext = {
    traceId: parent?.traceId ?? made.toString(16).padStart(32, "0"),
    spanId: made.toString(16).padStart(16, "0"),
    traceFlags: TraceFlags.SAMPLED,
  }
  const attributes: Attributes = { ...options.attributes }
  const span: Span = {
    spanContext: () => spanContext,
    setAttribute: (key, value) => {
      attributes[key] = value
      return span
    },
    setAttributes: (more) => {
      Object.assign(attributes, more)
      return span
    },
    addEvent: () => span,
    addLink: () => span,
    addLinks: () => span,
    setStatus: () => span,
    updateName: () => span,
    end: () => {
      ended.push({ name, attributes, traceId: spanContext.traceId, parent: parent?.spanId })
    },
    isRecording: () => true,
    recordException: () => undefined,
  }
  return span
}

const tracer: Tracer = {
  startSpan,
  startActiveSpan: (name: string, ...rest: unknown[]) => {
    const act = rest.at(-1) as (span: Span) => never
    const [options, from] = rest.length > 1 ? rest : []
    const parent = rest.length > 2 ? (from as Context) : context.active()
    const span = startSpan(name, options as SpanOptions | undefined, parent)
    return context.with(trace.setSpan(parent, span), () => act(span))
  },
}

const contexts: ContextManager = {
  active: () => stored.getStore() ?? ROOT_CONTEXT,
  with: (active, act, self, ...args) => stored.run(active, () => Reflect.apply(act, self, args)),
  bind: (_, target) => target,
  enable: () => contexts,
  disable: () => contexts,
}

let app: TestApp
let admin: Person
let lines: string[] = []

beforeAll(async () => {
  context.setGlobalContextManager(contexts)
  trace.setGlobalTracerProvider({ getTracer: () => tracer })
  app = await startApp({ onLog: (line) => lines.push(line) })
  admin = await app.signIn("admin")
})
afterAll(async () => {
  await app.close()
  context.disable()
  trace.disable()
  propagation.disable()
})

test("a call to a service is a span of its request's trace, which its log line names, without a query string", async () => {
  lines = []
  ended.length = 0
  await admin.ask("/program/members?search=ana.silva&per_page=7")
  const call = () => ended.find(({ name }) => name === "GET /members")
  const server = () => ended.find(({ name, traceId }) => name === "GET" && traceId === call()?.traceId)
  await expect.poll(server).toBeDefined()
  expect(call()?.attributes).toMatchObject({
    "laurel.api": "program",
    "laurel.operation": "GET /members",
    "http.request.method": "GET",
    "http.response.status_code": 200,
  })
  expect(JSON.stringify(ended)).not.toMatch(/ana\.silva|per_page|Bearer/)
  // Its line is written after the response.
  const logged = () => lines.find((line) => line.includes('"path":"/api/program/members"'))
  await expect.poll(logged).toBeDefined()
  expect(JSON.parse(logged() ?? "{}")).toMatchObject({ trace_id: call()?.traceId })
})
