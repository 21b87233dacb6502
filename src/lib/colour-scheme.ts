import * as z from "zod/mini"
import { createStored } from "./browser-storage.ts"

const appearance = z.object({
  /** Light, dark, or the system's setting. */
  colourScheme: z.enum(["light", "dark", "auto"]),
  /** Row height. */
  density: z.enum(["compact", "roomy"]),
})
type Appearance = z.output<typeof appearance>
export type ColourScheme = Appearance["colourScheme"]
export type Density = Appearance["density"]

/** The user's choices in this browser. */
export const useAppearance = createStored<Appearance>("laurel-appearance", appearance, {
  colourScheme: "auto",
  density: "compact",
})

/** Sets the colours now and for the next visit, on the attribute that Mantine reads too. */
export function setColourScheme(colourScheme: ColourScheme): void {
  useAppearance.setState({ colourScheme })
  applyAppearance()
}

export function setDensity(density: Density): void {
  useAppearance.setState({ density })
  applyAppearance()
}

/**
 * Applies both choices, and sends them to the server, whose next page has them before any script (bff/http/page.ts).
 */
export function applyAppearance(): void {
  const { colourScheme: scheme, density } = useAppearance.getState()
  const root = document.documentElement
  root.dataset.density = density
  document.cookie = `laurel-look=${scheme}.${density}; Path=/; Max-Age=31536000; SameSite=Lax`
  const dark = scheme === "dark" || (scheme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches)
  root.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light")
}
