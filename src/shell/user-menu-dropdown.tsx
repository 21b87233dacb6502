import "@mantine/core/styles/Menu.layer.css"
import { Box, Menu, Stack, useMantineColorScheme } from "@mantine/core"
import {
  type Icon,
  IconCheck,
  IconDeviceDesktop,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSun,
} from "@tabler/icons-react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link, useLocation, useNavigate, useRouter } from "@tanstack/react-router"
import { type ReactElement, useEffect, useState } from "react"
import { roleNames } from "../../contract/roles.ts"
import { resumeOutbox } from "../features/orders/ship/resume-outbox.ts"
import { explain } from "../lib/errors.ts"
import { counted } from "../lib/format.ts"
import { signOut, useSession } from "../api/session.ts"
import { useBrowserNotices, setBrowserNotices } from "../lib/browser-notices.ts"
import { useAppearance, setDensity } from "../lib/colour-scheme.ts"
import { browserDrafts, dropImportsOf, unfinishedImports } from "../lib/import-drafts.ts"
import { activeOptions, type NavItem } from "./navigation.ts"
import { useShellOverlay } from "./shell-state.ts"
import { menuFocusFix } from "../ui/hooks.ts"
import classes from "./navigation.module.css"

/** The user menu. */
export function UserMenuDropdown(props: {
  target: ReactElement<{ onClick?: () => void }>
  pages?: readonly NavItem[] | undefined
  open: boolean
  onChange: (open: boolean) => void
}) {
  const { target, pages = [], open, onChange } = props
  const { user } = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const rows = useAppearance((state) => state.density)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const router = useRouter()
  // Closes on browser navigation too.
  useEffect(() => router.subscribe("onBeforeLoad", () => onChange(false)), [router, onChange])
  const [parcels, setParcels] = useState(0)
  /** Unfinished imports that signing out would delete; confirmed once known. */
  const [unfinished, setUnfinished] = useState<readonly string[]>([])
  const leaving = useMutation({
    mutationFn: async ({ isSure }: { isSure: boolean }) => {
      const drafts = browserDrafts()
      // Without storage there is nothing to delete.
      const files = await unfinishedImports(drafts, user.id).catch(() => [])
      if (files.length > 0 && !isSure) return setUnfinished(files)
      await signOut(queryClient)
      await dropImportsOf(drafts, user.id).catch(() => undefined)
      await navigate({ to: "/sign-in", search: {} })
    },
    onError: async () => setParcels(await resumeOutbox(user.id)),
  })

  return (
    <Menu {...menuFocusFix} opened={open} onChange={onChange} position="top-start" width={232}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        {pages.length > 0 && <MenuPages pages={pages} />}
        <Stack gap={0} px="sm" py={6}>
          <span className="l-medium truncate">{user.name}</span>
          <span className="caption truncate">{user.email}</span>
          <span className="caption truncate">{roleNames[user.role]}</span>
        </Stack>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(schemeOf(value))}>
          <MenuChoice value="auto" icon={IconDeviceDesktop} label="Match system" />
          <MenuChoice value="light" icon={IconSun} label="Light" />
          <MenuChoice value="dark" icon={IconMoon} label="Dark" />
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>Rows</Menu.Label>
        <Menu.RadioGroup value={rows} onChange={(value) => setDensity(value === "roomy" ? value : "compact")}>
          <MenuChoice value="compact" label="Compact" />
          <MenuChoice value="roomy" label="Comfortable" />
        </Menu.RadioGroup>
        <Menu.Divider />
        <NoticeChoice />
        <Menu.Divider />
        <Menu.Item
          className="touch-hidden"
          leftSection={<IconKeyboard size={16} stroke={1.75} />}
          onClick={() => useShellOverlay.setState({ overlay: "shortcuts" })}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKey size={16} stroke={1.75} />}
          onClick={() => useShellOverlay.setState({ overlay: "password" })}
        >
          Change password
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} stroke={1.75} />}
          closeMenuOnClick={false}
          aria-disabled={leaving.isPending}
          onClick={() => leaving.isPending || leaving.mutate({ isSure: unfinished.length > 0 })}
        >
          {unfinished.length === 0 ? "Sign out" : "Sign out and remove it"}
        </Menu.Item>
        {unfinished.length > 0 && <UnfinishedImports files={unfinished} onStay={() => setUnfinished([])} />}
        {leaving.error !== null && <StillSignedIn error={leaving.error} parcels={parcels} />}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Confirms what signing out deletes from this browser. */
function UnfinishedImports({ files, onStay }: { files: readonly string[]; onStay: () => void }) {
  return (
    <>
      <Box role="alert" px="sm" py={6} className="l-meta tone-text" data-tone="warning">
        Not imported yet: {files.join(", ")}. Signing out removes {files.length === 1 ? "it" : "them"} from
        this browser. Nothing of it was sent.
      </Box>
      <Menu.Item closeMenuOnClick={false} onClick={onStay}>
        Stay signed in
      </Menu.Item>
    </>
  )
}

function StillSignedIn({ error, parcels }: { error: Error; parcels: number }) {
  const { title, next = "" } = explain(error)
  return (
    <Box role="alert" px="sm" py={6} className="l-meta tone-text" data-tone="danger">
      You are still signed in. {title}. {next}
      {parcels > 0 && ` ${counted(parcels, "parcel")} in the outbox, kept on this device.`}
    </Box>
  )
}

function schemeOf(value: string) {
  return value === "light" || value === "dark" ? value : "auto"
}

function MenuChoice({ value, icon: Icon, label }: { value: string; icon?: Icon; label: string }) {
  return (
    <Menu.RadioItem value={value} closeMenuOnClick={false} checkIcon={<IconCheck size={16} stroke={2} />}>
      <span className="l-with-icon">
        {Icon && <Icon size={16} stroke={1.75} className="text-muted" aria-hidden />}
        {label}
      </span>
    </Menu.RadioItem>
  )
}

function MenuPages({ pages }: { pages: readonly NavItem[] }) {
  const pathname = useLocation({ select: (at) => at.pathname })
  return (
    <>
      {pages.map(({ label, to, icon: Icon }) => (
        <Menu.Item
          key={to}
          component={Link}
          to={to}
          activeOptions={activeOptions(to, pathname)}
          leftSection={<Icon size={16} stroke={1.75} />}
        >
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  )
}

function NoticeChoice() {
  const state = useBrowserNotices()
  if (state === "impossible") return null
  return (
    <Menu.CheckboxItem
      checked={state === "on"}
      closeMenuOnClick={false}
      disabled={state === "blocked"}
      checkIcon={<IconCheck size={16} stroke={2} />}
      onChange={(on) => void setBrowserNotices(on)}
    >
      {state === "blocked" ? "Notifications are blocked in this browser" : "Browser notifications"}
    </Menu.CheckboxItem>
  )
}
