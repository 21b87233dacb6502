import type { CSSVariablesResolver } from "@mantine/core"

/** The same for both schemes: the tokens behind the names already differ by scheme. */
const byToken = {
  "--mantine-color-body": "var(--l-bg)",
  "--mantine-color-text": "var(--l-text)",
  "--mantine-color-bright": "var(--l-text)",
  "--mantine-color-dimmed": "var(--l-text-3)",
  "--mantine-color-placeholder": "var(--l-text-3)",
  "--mantine-color-anchor": "var(--l-accent-text)",
  "--mantine-color-default": "var(--l-surface)",
  "--mantine-color-default-hover": "var(--l-hover)",
  "--mantine-color-default-color": "var(--l-text)",
  "--mantine-color-default-border": "var(--l-border-2)",
  "--mantine-color-error": "var(--l-danger)",
  "--mantine-color-success": "var(--l-success)",
  "--mantine-color-disabled": "var(--l-active)",
  "--mantine-color-disabled-color": "var(--l-text-3)",
  "--mantine-color-disabled-border": "transparent",
  "--mantine-primary-color-filled": "var(--l-accent)",
  "--mantine-primary-color-filled-hover": "var(--l-accent-hover)",
  "--mantine-primary-color-contrast": "var(--l-on-accent)",
  "--mantine-primary-color-light": "var(--l-accent-soft)",
  "--mantine-primary-color-light-hover": "var(--l-accent-soft-2)",
  "--mantine-primary-color-light-color": "var(--l-accent-text)",
}

/** Mantine's variables, taken from the design's tokens: its own defaults miss the contrast we need. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: { "--mantine-line-height": "20px" },
  light: byToken,
  dark: byToken,
})
