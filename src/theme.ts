import { createTheme } from "@mantine/core"
import { components } from "./theme-components.ts"
import { variantColorResolver } from "./theme-variants.ts"

/**
 * The look in Mantine's terms. Values are the design's tokens (`tokens.css`); what Mantine cannot express as
 * a setting stands in `theme.css`.
 *
 * Mantine's own sheets are imported in their layered form: those of every page in `global.css`, those of the pages
 * behind the sign-in in `mantine.css`. What is layered gives way to `theme.css` and to CSS modules whatever the order
 * in which lazy parts arrive.
 */
export const theme = createTheme({
  primaryColor: "laurel",
  primaryShade: { light: 7, dark: 5 },
  colors: {
    laurel: [
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
    ],
    gray: [
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
    ],
    dark: [
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
    ],
  },
  white: "#ffffff",
  black: "#18201c",
  autoContrast: false,
  variantColorResolver,
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
  // 640 and 1100 px are the widths at which the shell changes (look, Layout).
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
