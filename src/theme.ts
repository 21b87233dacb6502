import {
  colorsTuple,
  createTheme,
  type CSSVariablesResolver,
  type MantineThemeComponents,
} from "@mantine/core"

const scrim = { color: "var(--l-scrim)", backgroundOpacity: 1, blur: 0 }
const floating = { transitionProps: { duration: 120, transition: "pop" }, shadow: "md", radius: "md" }
const inputOrder = { inputWrapperOrder: ["label", "input", "error", "description"], withAsterisk: false }

// The frame is as high as the window and its parts scroll for themselves: there is nothing to lock, which would cost a
// new style for every element.
const overFrame = { lockScroll: false }

/** Default props of Mantine's components. What needs a rule stands in `theme.css`. */
const components: MantineThemeComponents = {
  Input: { defaultProps: { size: "sm" } },
  InputWrapper: { defaultProps: { size: "sm", ...inputOrder } },
  TextInput: { defaultProps: { size: "sm", ...inputOrder } },
  Textarea: { defaultProps: { size: "sm", ...inputOrder } },
  Autocomplete: { defaultProps: { size: "sm", ...inputOrder } },
  Checkbox: { defaultProps: { size: "xs", radius: "xs" } },
  Switch: { defaultProps: { size: "sm" } },
  DrawerRoot: { defaultProps: { ...overFrame, position: "right", radius: 0, padding: 0, shadow: "lg" } },
  DrawerOverlay: { defaultProps: scrim },
  Modal: {
    defaultProps: {
      ...overFrame,
      size: 480,
      radius: "lg",
      centered: true,
      transitionProps: { duration: 0 },
      overlayProps: scrim,
      closeButtonProps: { "aria-label": "Close" },
    },
  },
  Menu: {
    defaultProps: { ...floating, position: "bottom-end", offset: 4, withInitialFocusPlaceholder: false },
  },
  Combobox: { defaultProps: { ...floating, offset: 4 } },
}

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

const shades = (colours: string) => colorsTuple(colours.split(" "))

/**
 * The look in Mantine's terms. Values are the design's tokens (`tokens.css`); what Mantine cannot express as
 * a setting stands in `theme.css`.
 *
 * Mantine's own sheets are imported in their layered form: those of every page in `global.css`, behind the sign-in in
 * `mantine.css`, of what opens over a page in `mantine-parts.css`. What is layered gives way to `theme.css` and to CSS
 * modules whatever the order in which lazy parts arrive.
 */
export const theme = createTheme({
  primaryColor: "laurel",
  primaryShade: { light: 7, dark: 5 },
  colors: {
    laurel: shades("#f2faf5 #dff5e7 #bfeacf #99dbb2 #70c794 #4fae7a #339060 #21734a #175938 #103b25"),
    gray: shades("#f9fafa #f2f4f3 #e3e7e5 #cdd2d0 #a6aca9 #8c928f #686f6c #4d5551 #303734 #19201d"),
    dark: shades("#e5e9e7 #b0b6b3 #919894 #6c7370 #353b38 #272d2b #212623 #141816 #0e1210 #090c0a"),
  },
  white: "#ffffff",
  black: "#18201c",
  autoContrast: false,
  fontFamily: "var(--l-font)",
  fontFamilyMonospace: "var(--l-mono)",
  fontSizes: { xs: "11px", sm: "12px", md: "13px", lg: "14px", xl: "15px" },
  lineHeights: { xs: "16px", sm: "16px", md: "20px", lg: "20px", xl: "24px" },
  fontWeights: { regular: "400", medium: "600", bold: "600" },
  headings: {
    fontFamily: "var(--l-font)",
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "20px", lineHeight: "28px" },
      h2: { fontSize: "15px", lineHeight: "24px" },
      h3: { fontSize: "13px", lineHeight: "20px" },
    },
  },
  spacing: { xs: "4px", sm: "8px", md: "16px", lg: "24px", xl: "32px", gutter: "var(--l-gutter)" },
  radius: { xs: "4px", sm: "6px", md: "8px", lg: "12px", xl: "12px" },
  defaultRadius: "sm",
  // 640 and 1100 px are the widths at which the shell changes (`tokens.css`).
  breakpoints: { xs: "30em", sm: "40em", md: "52em", lg: "68.75em", xl: "90em" },
  shadows: {
    xs: "none",
    sm: "none",
    md: "var(--l-shadow-pop)",
    lg: "var(--l-shadow-drawer)",
    xl: "var(--l-shadow-dialog)",
  },
  focusRing: "auto",
  cursorType: "pointer",
  respectReducedMotion: true,
  activeClassName: "",
  components,
})
