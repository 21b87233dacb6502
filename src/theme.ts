import {
  createTheme,
  type CSSVariablesResolver,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type MantineThemeComponents,
  type VariantColorsResolver,
} from "@mantine/core"

const scrim = { color: "var(--l-scrim)", backgroundOpacity: 1, blur: 0 }
const floating = { transitionProps: { duration: 120, transition: "pop" }, shadow: "md", radius: "md" }
const inputOrder = { inputWrapperOrder: ["label", "input", "error", "description"], withAsterisk: false }

// The frame is as high as the window and its parts scroll separately. A scroll lock is not needed and would restyle
// every element.
const overFrame = { lockScroll: false }

/** Default props of Mantine's components. Rules are in `theme.css`. */
const components: MantineThemeComponents = {
  Button: { defaultProps: { variant: "default" } },
  ActionIcon: { defaultProps: { variant: "subtle" } },
  Tooltip: {
    defaultProps: {
      openDelay: 300,
      closeDelay: 80,
      events: { hover: true, focus: true, touch: false },
      interactive: true,
      offset: 4,
      multiline: true,
      maw: "min(480px, calc(100vw - 12px))",
      // Above the palette.
      zIndex: 10_000,
    },
  },
  Popover: { defaultProps: { ...floating, offset: 4 } },
  SegmentedControl: { defaultProps: { withItemsBorders: false, transitionDuration: 0 } },
  Loader: { defaultProps: { size: 12, color: "currentColor", "aria-hidden": true } },
  Input: { defaultProps: { size: "sm" } },
  InputWrapper: { defaultProps: { size: "sm", ...inputOrder } },
  TextInput: { defaultProps: { size: "sm", ...inputOrder } },
  Textarea: { defaultProps: { size: "sm", ...inputOrder } },
  Autocomplete: { defaultProps: { size: "sm", ...inputOrder } },
  Checkbox: { defaultProps: { size: "xs", radius: "xs" } },
  Switch: { defaultProps: { size: "sm" } },
  DrawerRoot: {
    defaultProps: {
      ...overFrame,
      position: "right",
      radius: 0,
      padding: 0,
      shadow: "lg",
      transitionProps: { duration: 0 },
    },
  },
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
  SpotlightRoot: { defaultProps: { transitionProps: { duration: 0 }, overlayProps: scrim } },
}

/** Mantine's defaults fail WCAG AA, so its variables are the design tokens, which have both schemes. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: fromTokens,
  dark: fromTokens,
})

const fromTokens = {
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

const border = "1px solid transparent"

const variantColorResolver: VariantColorsResolver = (input) => {
  const { variant, color } = input
  if (variant === "filled" && color === "danger")
    return {
      background: "var(--l-danger-solid)",
      hover: "color-mix(in srgb, var(--l-danger-solid) 88%, var(--l-text))",
      color: "var(--l-on-danger)",
      border,
    }
  if (variant === "filled")
    return {
      background: "var(--l-accent)",
      hover: "var(--l-accent-hover)",
      color: "var(--l-on-accent)",
      border,
    }
  if (variant === "light")
    return {
      background: "var(--l-accent-soft)",
      hover: "var(--l-accent-soft-2)",
      color: "var(--l-accent-text)",
      border: "1px solid var(--l-accent)",
    }
  if (variant === "subtle" || variant === "choice")
    return {
      background: "transparent",
      hover: "var(--l-hover)",
      color: variant === "choice" ? "var(--l-text)" : "var(--l-text-2)",
      hoverColor: "var(--l-text)",
      border,
    }
  return defaultVariantColorsResolver(input)
}

const laurel: MantineColorsTuple = [
  "#f2faf5",
  "#dff5e7",
  "#bfeacf",
  "#99dbb2",
  "#70c794",
  "#4fae7a",
  "#339060",
  "#21734a",
  "#175938",
  "#103b25",
]
const gray: MantineColorsTuple = [
  "#f9fafa",
  "#f2f4f3",
  "#e3e7e5",
  "#cdd2d0",
  "#a6aca9",
  "#8c928f",
  "#686f6c",
  "#4d5551",
  "#303734",
  "#19201d",
]
const dark: MantineColorsTuple = [
  "#e5e9e7",
  "#b0b6b3",
  "#919894",
  "#6c7370",
  "#353b38",
  "#272d2b",
  "#212623",
  "#141816",
  "#0e1210",
  "#090c0a",
]

/**
 * Mantine with the design tokens (`tokens.css`); rules that settings cannot express are in `theme.css`. Mantine's own
 * sheets are imported in their layered form in `global.css`, so `theme.css` and CSS modules override them in any order.
 */
export const theme = createTheme({
  primaryColor: "laurel",
  primaryShade: { light: 7, dark: 5 },
  colors: { laurel, gray, dark },
  variantColorResolver,
  black: "#18201c",
  fontFamily: "var(--l-font)",
  fontFamilyMonospace: "var(--l-mono)",
  fontSizes: { xs: "11px", sm: "12px", md: "13px", lg: "14px", xl: "15px" },
  lineHeights: { xs: "16px", sm: "16px", md: "20px", lg: "20px", xl: "24px" },
  spacing: { xs: "4px", sm: "8px", md: "16px", lg: "24px", xl: "32px", gutter: "var(--l-gutter)" },
  radius: { xs: "4px", sm: "6px", md: "8px", lg: "12px", xl: "12px" },
  defaultRadius: "sm",
  shadows: {
    xs: "none",
    sm: "none",
    md: "var(--l-shadow-pop)",
    lg: "var(--l-shadow-drawer)",
    xl: "var(--l-shadow-dialog)",
  },
  // 640, 900 and 1100 px, as in the style sheets.
  breakpoints: { xs: "30em", sm: "40em", md: "56.25em", lg: "68.75em", xl: "90em" },
  focusRing: "auto",
  cursorType: "pointer",
  respectReducedMotion: true,
  activeClassName: "",
  components,
})
