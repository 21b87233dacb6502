import { externalValue, keepChoice, readChoice } from "./external-value.ts"

/** Light, dark, or as the system has it. */
export type ColourScheme = "light" | "dark" | "auto"

/** Also read by `public/colour-scheme.js`, before the first paint. */
const colourSchemeKey = "laurel-colour-scheme"

/** What the person chose in this browser. */
export const colourScheme = externalValue<ColourScheme>(
  readChoice(colourSchemeKey, ["light", "dark", "auto"], "auto"),
)

/** Changes the colours here and for the next visit. The attribute is the one Mantine follows too. */
export function setColourScheme(scheme: ColourScheme): void {
  colourScheme.set(scheme)
  keepChoice(colourSchemeKey, scheme)
  const dark = scheme === "dark" || (scheme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches)
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light")
}
