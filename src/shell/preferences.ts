import { externalValue, keepChoice, readChoice } from "../lib/external-value.ts"

/** How high rows are: 40 px or 48 px. */
export type Density = "compact" | "roomy"

const densityKey = "laurel-density"

/** The density of this browser. `public/colour-scheme.js` sets it before the first paint. */
export const density = externalValue<Density>(readChoice(densityKey, ["compact", "roomy"], "compact"))

/** Changes the density here and for the next visit. */
export function setDensity(value: Density): void {
  density.set(value)
  document.documentElement.dataset.density = value
  keepChoice(densityKey, value)
}
