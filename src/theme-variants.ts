import { defaultVariantColorsResolver, type VariantColorsResolver } from "@mantine/core"

const tones = ["success", "warning", "danger", "info"]

/**
 * Colours by variant. `filled` is the one thing to do (accent) or to undo for good (`color="danger"`);
 * `light` exists for the four tones; `subtle` and `default` stay neutral unless they name a tone.
 */
export const variantColorResolver: VariantColorsResolver = (input) => {
  const tone = tones.find((name) => name === input.color)
  const word = tone === undefined ? undefined : `var(--l-${tone})`
  switch (input.variant) {
    case "filled":
      return tone === undefined
        ? {
            background: "var(--l-accent)",
            hover: "var(--l-accent-hover)",
            color: "var(--l-on-accent)",
            border: "1px solid transparent",
          }
        : {
            background: `var(--l-${tone}-solid)`,
            hover: `color-mix(in srgb, var(--l-${tone}-solid) 88%, var(--l-text))`,
            color: `var(--l-on-${tone})`,
            border: "1px solid transparent",
          }
    case "light":
      return {
        background: tone === undefined ? "var(--l-accent-soft)" : `var(--l-${tone}-bg)`,
        hover: tone === undefined ? "var(--l-accent-soft-2)" : `var(--l-${tone}-bg)`,
        color: word ?? "var(--l-accent-text)",
        border: "1px solid transparent",
      }
    case "subtle":
      return {
        background: "transparent",
        hover: "var(--l-hover)",
        color: word ?? "var(--l-text-2)",
        hoverColor: word ?? "var(--l-text)",
        border: "1px solid transparent",
      }
    case "default":
      return {
        background: "var(--l-surface)",
        hover: "var(--l-hover)",
        color: word ?? "var(--l-text)",
        border: "1px solid var(--l-border-2)",
      }
    default:
      return defaultVariantColorsResolver(input)
  }
}
