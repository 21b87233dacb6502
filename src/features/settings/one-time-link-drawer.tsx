import { Button, TextInput } from "@mantine/core"
import { IconCopy } from "@tabler/icons-react"
import { useBlocker } from "@tanstack/react-router"
import { useId, useState } from "react"
import type { AppUser, PasswordLink } from "../../../contract/users.ts"
import { Facts } from "./settings-parts.tsx"
import { exact } from "../../lib/time.ts"
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx"
import { Outcome, SideDrawer } from "../../ui/side-drawer.tsx"
import classes from "./settings.module.css"

interface OneTimeLinkDrawerProps {
  title: string
  /** What was done, in one sentence. */
  done: string
  user: AppUser
  link: PasswordLink
  onClose: () => void
}

/**
 * A one-time password link, shown this once: it stands in this component's memory alone and is gone with it. Asks
 * before it is closed without having been copied.
 */
export function OneTimeLinkDrawer({ title, done, user, link, onClose }: OneTimeLinkDrawerProps) {
  const address = new URL(link.path, window.location.origin).href
  const field = useId()
  const [copied, setCopied] = useState(false)
  const [refused, setRefused] = useState(false)
  const leaving = useBlocker({
    shouldBlockFn: () => !copied,
    enableBeforeUnload: () => !copied,
    withResolver: true,
  })

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address)
      setCopied(true)
      setRefused(false)
    } catch {
      // Browsers refuse outside a secure page; the field can still be copied by hand.
      setRefused(true)
    }
  }

  return (
    <>
      <SideDrawer
        title={title}
        wide
        onClose={() => (leaving.status === "blocked" ? undefined : onClose())}
        foot={
          <Button size="md" variant={copied ? "filled" : "default"} onClick={onClose}>
            Done
          </Button>
        }
      >
        <Outcome word="Done">{done}</Outcome>
        <p className="text-secondary">
          Hand this link to {user.name} yourself. Anyone who opens it can set the password. It’s shown once
          and isn’t stored.
        </p>
        <div className={classes.link}>
          <TextInput
            id={field}
            readOnly
            size="md"
            label="One-time link"
            value={address}
            onFocus={({ currentTarget }) => currentTarget.select()}
            onCopy={() => setCopied(true)}
            classNames={{ input: classes.linkAddress }}
          />
          <Button
            size="md"
            variant={copied ? "default" : "filled"}
            leftSection={<IconCopy size={16} stroke={1.75} aria-hidden />}
            onClick={() => void copy()}
          >
            {copied ? "Copied" : "Copy link"}
          </Button>
        </div>
        <output className={classes.refused}>
          {refused && "The browser blocked copying. Select the link and copy it manually."}
        </output>
        <Facts
          rows={[
            ["For", user.email],
            ["Valid", "24 hours, one use"],
            ["Until", exact(link.expires_at)],
          ]}
        />
      </SideDrawer>
      {leaving.status === "blocked" && (
        <ConfirmDialog
          title="The link wasn’t copied"
          action="Close anyway"
          tone="danger"
          busy={false}
          error={null}
          onConfirm={leaving.proceed}
          onClose={leaving.reset}
        >
          <p>
            It is not shown again. A new one can be made on the user&rsquo;s page; this one then stops
            working.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
