import { Tooltip, type TooltipProps } from "@mantine/core"

/** The bubble of `Tooltip`, open from the start, at an element outside it. */
export function TooltipBubble(props: Omit<TooltipProps, "children" | "target"> & { target: HTMLElement }) {
  return <Tooltip {...props} defaultOpened />
}
