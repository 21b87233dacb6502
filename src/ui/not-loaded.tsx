import { Notice } from "./notice.tsx"

/** Error text within an open panel. */
export function NotLoaded() {
  return (
    <Notice tone="warning" title="This can’t be opened without a connection">
      It opens once Laurel is reached again. If it doesn’t, reload the page.
    </Notice>
  )
}

/** Error text above the page, until the next key or click. */
export function NotOpened({ onClose }: { onClose: () => void }) {
  return (
    <div
      ref={(box) => box?.showPopover()}
      popover="auto"
      className="card"
      onToggle={({ newState }) => newState === "closed" && onClose()}
    >
      <NotLoaded />
    </div>
  )
}
