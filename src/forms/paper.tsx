import { Group, Stack } from "@mantine/core"
import { type ReactNode, useEffect, useEffectEvent, useState } from "react"
import { useSession } from "../api/session.ts"
import { openPrinter } from "../lib/open-printer.ts"
import { longDay, timeOfDay } from "../lib/time.ts"
import { EnvBadge } from "../ui/brand.tsx"
import { Button } from "../ui/button.tsx"
import { useServerNow } from "../ui/hooks.ts"
import classes from "./paper.module.css"

/**
 * The header of every page: program, title and time of printing, with a prominent note outside production. Customer
 * papers show only the date.
 */
export function PrintedHeader({ title, forCustomer = false }: { title: string; forCustomer?: boolean }) {
  const { program, environment, user } = useSession()
  const now = useServerNow("half-minute")
  return (
    <Group
      component="header"
      align="stretch"
      justify="space-between"
      wrap="nowrap"
      gap={24}
      className={classes.header}
    >
      <div>
        <div>{program.name}</div>
        <h2>{title}</h2>
      </div>
      <Stack align="flex-end" gap={4} ta="end" className={classes.quiet}>
        {environment !== "production" && <EnvBadge environment={environment} />}
        <span>
          {longDay(now)}
          {!forCustomer && `, ${timeOfDay(now)}, ${user.name}`}
        </span>
      </Stack>
    </Group>
  )
}

/** One printed A4 page, shown as it is printed; what is outside of it is not. */
export function A4Paper({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div data-papers className={`${classes.papers} ${classes.dense}`}>
      <article className={classes.paper} aria-label={label}>
        {children}
      </article>
    </div>
  )
}

/** Prints the papers of the page once they are `ready`, also with Ctrl P (Cmd P). */
export function PrintButton({ ready, children = "Print" }: { ready: boolean; children?: ReactNode }) {
  const waits = usePrintKey(ready)
  return (
    <>
      {waits && <output className="text-secondary">Prints when everything is loaded</output>}
      <Button variant="filled" disabled={!ready} onClick={openPrinter}>
        {children}
      </Button>
    </>
  )
}

/** What the browser’s menu prints until the papers are `ready`. */
export function UnreadyPaper({ ready }: { ready: boolean }) {
  if (ready) return null
  return (
    <p data-papers className={`${classes.papers} ${classes.unready}`}>
      Not everything is loaded yet, so nothing is printed. Cancel, wait for the Print button, and print again.
    </p>
  )
}

/** Ctrl P (Cmd P) prints once everything is loaded. Returns whether it was pressed and is waiting. */
function usePrintKey(ready: boolean): boolean {
  const [wanted, setWanted] = useState(false)
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (key.toLowerCase() !== "p" || !(ctrlKey || metaKey) || altKey || shiftKey || ready) return
    event.preventDefault()
    setWanted(true)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [])
  useEffect(() => {
    if (!wanted || !ready) return undefined
    const timer = setTimeout(() => {
      setWanted(false)
      openPrinter()
    })
    return () => clearTimeout(timer)
  }, [wanted, ready])
  return wanted && !ready
}

/** Reports that the lazily loaded parts before it are rendered. */
export function Drawn({ onDrawn }: { onDrawn: (drawn: boolean) => void }) {
  useEffect(() => {
    onDrawn(true)
    return () => onDrawn(false)
  }, [onDrawn])
  return null
}
