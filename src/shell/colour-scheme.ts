import type { MantineColorSchemeManager } from "@mantine/core"
import { colourScheme, setColourScheme } from "../lib/colour-scheme.ts"

/** Lets Mantine follow and change the choice that the pages before the desk know too. */
export const colourSchemeManager: MantineColorSchemeManager = {
  get: () => colourScheme.get(),
  set: setColourScheme,
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => setColourScheme("auto"),
}
