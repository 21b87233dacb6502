import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"
import * as z from "zod/mini"
import { createMetrics } from "../../bff/http/health.ts"
import { root } from "./tree.ts"

const read = (name: string) => readFileSync(join(root, name), "utf8")

const rule = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.optional(z.string().check(z.regex(/^\d+[mh]$/))),
  labels: z.strictObject({ severity: z.enum(["page", "ticket"]) }),
  annotations: z.strictObject({ summary: z.string(), action: z.string(), runbook: z.string() }),
})
const { groups } = z
  .strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(rule) })) })
  .parse(parse(read("deploy/alerts.yaml")))
const rules = groups.flatMap((group) => group.rules)

const { panels } = z
  .looseObject({
    panels: z.array(z.looseObject({ targets: z.array(z.looseObject({ expr: z.string() })) })),
  })
  .parse(JSON.parse(read("deploy/grafana.json")))
const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

/** The metrics that the code exports, as an exposition names them. */
async function exported(): Promise<Set<string>> {
  const metrics = createMetrics()
  metrics.watchStreams(() => 0)
  metrics.watchBackup(() => 0)
  const list = await metrics.describe()
  return new Set(
    list.flatMap(({ name, type }) =>
      String(type) === "histogram" ? ["_bucket", "_count", "_sum"].map((ending) => name + ending) : [name],
    ),
  )
}

const metricsIn = (expr: string) => expr.match(/\blaurel_\w+/g) ?? []

test("every metric of the alerts and of the dashboard is exported by the server", async () => {
  const names = await exported()
  const used = [...rules.map(({ expr }) => expr), ...shown].flatMap(metricsIn)
  expect(used.length).toBeGreaterThan(20)
  expect([...new Set(used)].filter((name) => !names.has(name))).toEqual([])
})

test("every gauge that is read from the store is in the alerts or on the dashboard", async () => {
  const used = new Set([...rules.map(({ expr }) => expr), ...shown].flatMap(metricsIn))
  const own = [...(await exported())].filter(
    (name) => !/^laurel_(process|nodejs)_|_(sum|bucket|count)$/.test(name),
  )
  expect(own.filter((name) => !used.has(name))).toEqual([])
})

test("every alert links a heading of the operating manual, and no two have the same name", () => {
  const headings = new Set(
    [...read("docs/operating.md").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => {
      const anchor = heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, "")
        .replaceAll(" ", "-")
      return `docs/operating.md#${anchor}`
    }),
  )
  expect(rules.map(({ annotations }) => annotations.runbook).filter((one) => !headings.has(one))).toEqual([])
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
})
