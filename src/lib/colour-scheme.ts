import { externalValue, saveChoice, readChoice } from "./external-value.ts"

/** Light, dark, or the system's setting. */
export type ColourScheme = "light" | "dark" | "auto"

const colourSchemeKey = "laurel-colour-scheme"

/** The user's choice in this browser. */
export const colourScheme = externalValue<ColourScheme>(
  readChoice(colourSchemeKey, ["light", "dark", "auto"], "auto"),
)

/** Sets the colours now and for the next visit, on the attribute that Mantine reads too. */
export function setColourScheme(scheme: ColourScheme): void {
  colourScheme.set(scheme)
  saveChoice(colourSchemeKey, scheme)
  applyAppearance()
}

const densityKey = "laurel-density"
/** Row height. */
export type Density = "compact" | "roomy"

/** The density chosen in this browser. */
export const density = externalValue<Density>(readChoice(densityKey, ["compact", "roomy"], "compact"))

export function setDensity(value: Density): void {
  density.set(value)
  saveChoice(densityKey, value)
  applyAppearance()
}

/**
 * Applies both choices, and sends them to the server, whose next page has them before any script (bff/http/page.ts).
 */
export function applyAppearance(): void {
  const scheme = colourScheme.get()
  const root = document.documentElement
  root.dataset.density = density.get()
  document.cookie = `laurel-look=${scheme}.${density.get()}; Path=/; Max-Age=31536000; SameSite=Lax`
  const dark = scheme === "dark" || (scheme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches)
  root.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light")
}
