import type { MantineThemeComponents } from "@mantine/core"

const scrim = { color: "var(--l-scrim)", backgroundOpacity: 1, blur: 0 }
const floating = { transitionProps: { duration: 120, transition: "pop" }, shadow: "md", radius: "md" }
const inputOrder = { inputWrapperOrder: ["label", "input", "error", "description"], withAsterisk: false }

const drawer = {
  position: "right",
  size: 480,
  radius: 0,
  padding: 0,
  shadow: "lg",
  transitionProps: { duration: 140 },
}
const dialog = { size: 480, radius: "lg", centered: true, transitionProps: { duration: 0 } }

/** Default props of Mantine's components (look, "In Mantine 9"). What needs a rule stands in `theme.css`. */
export const components: MantineThemeComponents = {
  Button: { defaultProps: { size: "sm", variant: "default", loaderProps: { size: 12 } } },
  ActionIcon: { defaultProps: { size: "md", variant: "subtle" } },
  Input: { defaultProps: { size: "sm" } },
  InputWrapper: { defaultProps: { size: "sm", ...inputOrder } },
  TextInput: { defaultProps: { size: "sm", ...inputOrder } },
  Textarea: { defaultProps: { size: "sm", ...inputOrder } },
  Autocomplete: { defaultProps: { size: "sm", ...inputOrder } },
  Checkbox: { defaultProps: { size: "xs", radius: "xs" } },
  Radio: { defaultProps: { size: "xs" } },
  Switch: { defaultProps: { size: "sm" } },
  SegmentedControl: { defaultProps: { size: "sm", radius: "sm", transitionDuration: 80 } },
  DrawerRoot: { defaultProps: drawer },
  Drawer: { defaultProps: { ...drawer, overlayProps: scrim } },
  DrawerOverlay: { defaultProps: scrim },
  ModalRoot: { defaultProps: dialog },
  Modal: {
    defaultProps: { ...dialog, overlayProps: scrim, closeButtonProps: { "aria-label": "Close" } },
  },
  ModalOverlay: { defaultProps: scrim },
  Menu: {
    defaultProps: { ...floating, position: "bottom-end", offset: 4, withInitialFocusPlaceholder: false },
  },
  Popover: { defaultProps: { ...floating, offset: 4 } },
  Combobox: { defaultProps: { ...floating, offset: 4 } },
  Tooltip: {
    defaultProps: { openDelay: 300, withArrow: false, radius: "sm", transitionProps: { duration: 120 } },
  },
  Progress: { defaultProps: { size: 8, radius: "xs" } },
  Loader: { defaultProps: { size: 16, color: "currentColor" } },
}
