import { useMediaQuery } from "@mantine/hooks"

/** How rows are laid out: one line each with a mouse, two lines of 56 px for fingers. */
export type ListLayout = "wide" | "tablet" | "phone"

/** The layout for this window and pointer: a phone by its width, a tablet by its coarse pointer. */
export function useListLayout(): ListLayout {
  const narrow = useMediaQuery("(width < 640px)", undefined, { getInitialValueInEffect: false })
  const coarse = useMediaQuery("(pointer: coarse)", undefined, { getInitialValueInEffect: false })
  return narrow ? "phone" : coarse ? "tablet" : "wide"
}
