import { IconMaximize, IconPrinter, IconVolume, IconVolumeOff } from "@tabler/icons-react"
import { Button } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { limits } from "../../../../contract/limits.ts"
import { useExternalValue } from "../../../ui/hooks.ts"
import type { OrderRow } from "../show/order-row.ts"
import { sound, switchSound } from "./chime.ts"
import classes from "./ship.module.css"

/** The pick list of what is to ship, sound, and the whole screen for a packing bench. */
export function ShipActions({ rows }: { rows: readonly OrderRow[] }) {
  const on = useExternalValue(sound) === "on"
  const Volume = on ? IconVolume : IconVolumeOff
  return (
    <>
      {rows.length > 0 && (
        <Button
          aria-label="Pick list"
          renderRoot={(props) => (
            <Link {...props} to="/orders/print" search={{ ids: idsOf(rows), what: "pick" }} />
          )}
        >
          <IconPrinter size={16} stroke={1.75} aria-hidden />
          <span className={classes.words}>Pick list</span>
        </Button>
      )}
      <Button aria-pressed={on} aria-label="Sound" onClick={switchSound}>
        <Volume size={16} stroke={1.75} aria-hidden />
        <span className={classes.words}>Sound</span>
      </Button>
      <Button aria-label="Full screen" onClick={() => void fillScreen()}>
        <IconMaximize size={16} stroke={1.75} aria-hidden />
        <span className={classes.words}>Full screen</span>
      </Button>
    </>
  )
}

/** As many as are printed at once, the oldest first. */
function idsOf(rows: readonly OrderRow[]): string {
  return rows
    .slice(0, limits.ordersAtOnce)
    .map(({ order }) => order.order_id)
    .join(",")
}

async function fillScreen(): Promise<void> {
  // Some tablets know no full screen: the page is then as it was.
  await (
    document.fullscreenElement === null
      ? document.documentElement.requestFullscreen()
      : document.exitFullscreen()
  ).catch(() => {})
}
