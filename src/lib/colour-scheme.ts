import { externalValue, saveChoice, readChoice } from "./external-value.ts"

/** Light, dark, or as the system has it. */
export type ColourScheme = "light" | "dark" | "auto"

const colourSchemeKey = "laurel-colour-scheme"

/** What the person chose in this browser. */
export const colourScheme = externalValue<ColourScheme>(
  readChoice(colourSchemeKey, ["light", "dark", "auto"], "auto"),
)

/** Changes the colours here and for the next visit. The attribute is the one Mantine follows too. */
export function setColourScheme(scheme: ColourScheme): void {
  colourScheme.set(scheme)
  saveChoice(colourSchemeKey, scheme)
  applyAppearance()
}

const densityKey = "laurel-density"
/** How much room a row takes. */
export type Density = "compact" | "roomy"

/** The density that the person chose in this browser. */
export const density = externalValue<Density>(readChoice(densityKey, ["compact", "roomy"], "compact"))

export function setDensity(value: Density): void {
  density.set(value)
  saveChoice(densityKey, value)
  applyAppearance()
}

/** Shows both choices, and tells the server, whose next page has them before any script (bff/http/page.ts). */
export function applyAppearance(): void {
  const scheme = colourScheme.get()
  const root = document.documentElement
  root.dataset.density = density.get()
  document.cookie = `laurel-look=${scheme}.${density.get()}; Path=/; Max-Age=31536000; SameSite=Lax`
  const dark = scheme === "dark" || (scheme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches)
  root.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light")
}
