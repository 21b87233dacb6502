/**
 * Compares Laurel with a react-admin app on the same service, prints one table and reports whether the bounds are
 * met. Arguments select parts: `npm run bench -- paint interactions session lists heap lighthouse`.
 */
import { measureHeap } from "./heap.ts"
import { measureInteractions } from "./interactions.ts"
import { measureLighthouse } from "./lighthouse.ts"
import { measureLists } from "./lists.ts"
import { measurePaint } from "./paint.ts"
import { type Figure, printTable } from "./report.ts"
import { measureSession } from "./session.ts"

const parts: Readonly<Record<string, () => Promise<Figure[]>>> = {
  paint: measurePaint,
  interactions: measureInteractions,
  session: measureSession,
  lists: measureLists,
  heap: measureHeap,
  lighthouse: measureLighthouse,
}

const selected = process.argv.slice(2)
const unknown = selected.filter((name) => !(name in parts))
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown.join(", ")}; only ${Object.keys(parts).join(", ")}.`)
const figures: Figure[] = []
for (const [name, measure] of Object.entries(parts)) {
  if (selected.length > 0 && !selected.includes(name)) continue
  process.stdout.write(`Measuring ${name} ...\n`)
  figures.push(...(await measure()))
}
process.exitCode = printTable(figures) ? 0 : 1
