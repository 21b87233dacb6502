import { MantineProvider } from "@mantine/core"
import { setNonce } from "get-nonce"
import type { ReactNode } from "react"
import { pageNonce } from "../lib/nonce.ts"
import { cssVariablesResolver } from "../theme-variables.ts"
import { theme } from "../theme.ts"
import { colourSchemeManager } from "./colour-scheme.ts"
import "./theme-buttons.css"
import "./theme-desk.css"
import "./theme-fields.css"
import "./theme-floating.css"

/** Mantine, for what stands inside the desk. The pages before it do without: they load in half the size. */
export function MantineRoot({ children }: { children: ReactNode }) {
  const nonce = pageNonce()
  // The scroll lock writes a style element too.
  setNonce(nonce)
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colourSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      // Every variable is written here, so the sheet with Mantine's own defaults (4 KB) is not sent.
      deduplicateCssVariables={false}
      // Tests do not wait for transitions.
      env={import.meta.env.MODE === "test" ? "test" : "default"}
    >
      {children}
    </MantineProvider>
  )
}
