import { localStorageColorSchemeManager } from "@mantine/core"
import { externalValue } from "../api/external-value.ts"
import { keepChoice, readChoice } from "../lib/local-choice.ts"

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

/** Light, dark or as the system: kept in this browser under the key that the script before the first paint reads. */
export const colourSchemeManager = localStorageColorSchemeManager({ key: "laurel-colour-scheme" })
