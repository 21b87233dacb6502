import { useDisclosure } from "@mantine/hooks"
import {
  cloneElement,
  type ComponentProps,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from "react"
import { fetchedPart } from "./fetched-part.tsx"
import { NotOpened } from "./not-loaded.tsx"

const PopoverPanel = fetchedPart(
  async () => (await import("./popover-panel.tsx")).PopoverPanel,
  ({ opened, onClose }) => opened && <NotOpened onClose={onClose} />,
)

/**
 * A panel at its button, with a name for screen readers. It takes the focus and returns it. Its content may be lazy;
 * so is the panel: lists have several, and most are never opened.
 */
export function Popover(props: {
  label: string
  button: ReactElement<ComponentProps<"button">>
  align?: "start" | "end"
  width?: number
  children: (close: () => void) => ReactNode
}) {
  const { label, button, align = "start", width, children } = props
  const [opened, { toggle, close }] = useDisclosure()
  const [target, setTarget] = useState<HTMLElement>()
  const onClick = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    setTarget(currentTarget)
    toggle()
  }
  return (
    <>
      {cloneElement(button, { onClick, "aria-haspopup": "dialog", "aria-expanded": opened })}
      {target && (
        <Suspense>
          <PopoverPanel {...{ label, target, opened, align, width }} onClose={close}>
            {children(close)}
          </PopoverPanel>
        </Suspense>
      )}
    </>
  )
}
