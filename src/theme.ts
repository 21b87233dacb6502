import { createTheme, type MantineThemeComponents } from "@mantine/core"

const scrim = { color: "var(--l-scrim)", backgroundOpacity: 1, blur: 0 }
const floating = { transitionProps: { duration: 120, transition: "pop" }, shadow: "md", radius: "md" }
const inputOrder = { inputWrapperOrder: ["label", "input", "error", "description"], withAsterisk: false }

// The frame is as high as the window and its parts scroll separately. A scroll lock is not needed and would restyle
// every element.
const overFrame = { lockScroll: false }

/** Default props of Mantine's components. Rules are in `theme.css`. */
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

/**
 * Settings that Mantine's scripts need: its variables are in `mantine.css`, other rules in `theme.css`. Mantine's own
 * sheets are imported in their layered form: those of every page in `global.css`, the others in `mantine.css`.
 * `theme.css` and CSS modules override layered rules in any order of lazy chunks.
 */
export const theme = createTheme({
  spacing: { xs: "4px", sm: "8px", md: "16px", lg: "24px", xl: "32px", gutter: "var(--l-gutter)" },
  defaultRadius: "sm",
  // 640 and 1100 px are the breakpoints of the shell (`tokens.css`).
  breakpoints: { xs: "30em", sm: "40em", md: "52em", lg: "68.75em", xl: "90em" },
  focusRing: "auto",
  cursorType: "pointer",
  respectReducedMotion: true,
  activeClassName: "",
  components,
})
