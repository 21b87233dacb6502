import { create } from "zustand"
import { persist } from "zustand/middleware"

/** Light, dark, or the system's setting. */
export type ColourScheme = "light" | "dark" | "auto"
/** Row height. */
export type Density = "compact" | "roomy"

interface Appearance {
  readonly colourScheme: ColourScheme
  readonly density: Density
}

/** The user's choices in this browser. */
export const useAppearance = create(
  persist<Appearance>(() => ({ colourScheme: "auto", density: "compact" }), { name: "laurel-appearance" }),
)

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
