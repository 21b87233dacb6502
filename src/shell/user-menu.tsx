import { Menu, UnstyledButton, useMantineColorScheme } from "@mantine/core"
import "@mantine/core/styles/Menu.layer.css"
import "@mantine/core/styles/Popover.layer.css"
import { IconCheck, IconDeviceDesktop, IconKeyboard, IconLogout, IconMenu2, IconMoon, IconSelector, IconSun } from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { roleNames } from "../../contract/roles.ts"
import { explain } from "../api/errors.ts"
import { useSession } from "../api/permissions.ts"
import { signOut } from "../api/session.ts"
import { Avatar } from "../ui/avatar.tsx"
import { density, setDensity } from "./preferences.ts"
import { overlay } from "./shell-state.ts"
import { useExternalValue } from "./use-external-value.ts"
import classes from "./user-menu.module.css"

const schemes = [
  { value: "auto", label: "As the system", icon: IconDeviceDesktop },
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
] as const

const densities = [
  { value: "compact", label: "Compact rows" },
  { value: "roomy", label: "Roomy rows" },
] as const

/** Who is signed in, how the desk looks for them, and the way out. */
export function UserMenu({ look }: { look: "nav" | "bar" }) {
  const { user } = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const rows = useExternalValue(density)
  const leaving = useLeave()

  return (
    <Menu position="top-start" width={232} keepMounted={false}>
      <Menu.Target>
        {look === "nav" ? (
          <UnstyledButton className={classes.who} aria-label={`${user.name}, ${roleNames[user.role]}: your menu`}>
            <Avatar name={user.name} accent />
            <span className={classes.words}>
              <span className={classes.name}>{user.name}</span>
              <span className={classes.role}>{roleNames[user.role]}</span>
            </span>
            <IconSelector size={16} stroke={1.75} aria-hidden className={classes.hint} />
          </UnstyledButton>
        ) : (
          <UnstyledButton className={classes.more}>
            <IconMenu2 size={20} stroke={1.75} aria-hidden className={classes.hint} />
            More
          </UnstyledButton>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.head}>
          <span className={classes.name}>{user.name}</span>
          <span className={classes.role}>{user.email}</span>
          <span className={classes.role}>{roleNames[user.role]}</span>
        </div>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={colorScheme === value}
            closeMenuOnClick={false}
            leftSection={<Icon size={16} stroke={1.75} />}
            rightSection={colorScheme === value && <IconCheck size={16} stroke={2} />}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {densities.map(({ value, label }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={rows === value}
            closeMenuOnClick={false}
            rightSection={rows === value && <IconCheck size={16} stroke={2} />}
            onClick={() => setDensity(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconKeyboard size={16} stroke={1.75} />}
          onClick={() => overlay.set("shortcuts")}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} stroke={1.75} />}
          closeMenuOnClick={false}
          disabled={leaving.busy}
          onClick={leaving.leave}
        >
          Sign out
        </Menu.Item>
        {leaving.failed !== null && (
          <p role="alert" className={classes.failed}>
            You are still signed in. {leaving.failed}
          </p>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function useLeave() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)

  const leave = async () => {
    setBusy(true)
    setFailed(null)
    try {
      await signOut(queryClient)
      await navigate({ to: "/sign-in", search: {} })
    } catch (error) {
      const { title, next } = explain(error)
      setFailed([`${title}.`, next].filter(Boolean).join(" "))
    } finally {
      setBusy(false)
    }
  }
  return { busy, failed, leave: () => void leave() }
}
