/**
 * Measures what costs users time or requests, and reports which bounds are met. Arguments select parts: `npm run
 * bench -- bytes paint demo interactions latency session ship crowd watched load heap import`.
 */
import { measureBytes } from "./bytes.ts"
import { measureCrowd } from "./crowd.ts"
import { measureHeap } from "./heap.ts"
import { measureImport } from "./import.ts"
import { measureInteractions } from "./interactions.ts"
import { measureLatency } from "./latency.ts"
import { measureLoad } from "./load.ts"
import { measureDemo, measurePaint } from "./paint.ts"
import { printFigures, type Figure } from "./report.ts"
import { measureSession } from "./session.ts"
import { measureShip } from "./ship.ts"
import { measureWatched } from "./watched.ts"

const parts: readonly { name: string; title: string; measure: () => Promise<Figure[]> }[] = [
  { name: "bytes", title: "First view, empty cache", measure: measureBytes },
  { name: "paint", title: "First view of the members list on a slow line", measure: measurePaint },
  { name: "demo", title: "Opening the demo on 4G (9 Mbit/s, 170 ms), built before", measure: measureDemo },
  { name: "latency", title: "Added latency, 25 members, one connection", measure: measureLatency },
  { name: "interactions", title: "Interactions, services at 80 ms", measure: measureInteractions },
  { name: "session", title: "Upstream requests of a scripted session", measure: measureSession },
  { name: "ship", title: "Twenty-four parcels by scanner, 60 requests a minute", measure: measureShip },
  { name: "crowd", title: "Thirty people, two minutes, 60 requests a minute", measure: measureCrowd },
  { name: "watched", title: "A job of 10,000 rows, watched by ten browsers", measure: measureWatched },
  { name: "load", title: "Every member in one list, processor at full speed", measure: measureLoad },
  { name: "heap", title: "After twenty pages, beside react-admin", measure: measureHeap },
  { name: "import", title: "A file of 100,000 awards in the browser", measure: measureImport },
]

const selected = process.argv.slice(2)
let fine = true
for (const part of parts) {
  if (selected.length > 0 && !selected.includes(part.name)) continue
  fine = printFigures(part.title, await part.measure()) && fine
}
process.stdout.write(fine ? "\nEvery bound is kept.\n" : "\nA bound was missed.\n")
process.exitCode = fine ? 0 : 1
