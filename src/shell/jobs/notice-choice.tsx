import { Menu } from "@mantine/core"
import { IconBell, IconCheck } from "@tabler/icons-react"
import { useExternalValue } from "../../ui/hooks.ts"
import { browserNotices, setBrowserNotices } from "./job-news.ts"

/** Turns the browser's notices about my jobs on and off, in the user menu. Off by default. */
export function NoticeChoice() {
  const state = useExternalValue(browserNotices)
  if (state === "impossible") return null
  return (
    <Menu.CheckboxItem
      checked={state === "on"}
      closeMenuOnClick={false}
      disabled={state === "blocked"}
      checkIcon={<IconCheck size={16} stroke={2} />}
      onChange={(on) => void setBrowserNotices(on)}
    >
      <span className="l-with-icon">
        <IconBell size={16} stroke={1.75} className="text-muted" aria-hidden />
        {state === "blocked" ? "Notifications are blocked in this browser" : "Notify me when a job finishes"}
      </span>
    </Menu.CheckboxItem>
  )
}
