import { Menu, useMantineColorScheme } from "@mantine/core"
import { IconDeviceDesktop, IconKey, IconKeyboard, IconLogout, IconMoon, IconSun } from "@tabler/icons-react"
import { useState } from "react"
import { roleNames } from "../../contract/roles.ts"
import { useSession } from "../api/session.ts"
import { NoticeChoice } from "./jobs/notice-choice.tsx"
import { MenuChoice, MenuPages } from "./menu.tsx"
import type { NavItem } from "./navigation.ts"
import { density, setDensity } from "./preferences.ts"
import { overlay } from "./shell-state.ts"
import { useExternalValue } from "../ui/hooks.ts"
import { useLeave } from "./use-leave.ts"
import { UserMenuTarget } from "./user-menu-target.tsx"
import classes from "./user-menu.module.css"

interface OpenUserMenuProps {
  look: "nav" | "bar"
  /** Pages that have no place in the navigation beside it. */
  pages?: readonly NavItem[] | undefined
}

/** The user menu, open from its first moment: its button was pressed before it arrived. */
export function OpenUserMenu({ look, pages }: OpenUserMenuProps) {
  const { user } = useSession()
  const [open, setOpen] = useState(true)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const rows = useExternalValue(density)
  const leaving = useLeave()

  return (
    <Menu opened={open} onChange={setOpen} position="top-start" width={232} withinPortal={false}>
      <Menu.Target>
        <UserMenuTarget look={look} />
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        {pages !== undefined && pages.length > 0 && <MenuPages pages={pages} />}
        <div className={classes.head}>
          <span className={classes.name}>{user.name}</span>
          <span className={classes.role}>{user.email}</span>
          <span className={classes.role}>{roleNames[user.role]}</span>
        </div>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(schemeOf(value))}>
          <MenuChoice value="auto" icon={IconDeviceDesktop}>
            Match system
          </MenuChoice>
          <MenuChoice value="light" icon={IconSun}>
            Light
          </MenuChoice>
          <MenuChoice value="dark" icon={IconMoon}>
            Dark
          </MenuChoice>
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>Rows</Menu.Label>
        <Menu.RadioGroup value={rows} onChange={(value) => setDensity(value === "roomy" ? value : "compact")}>
          <MenuChoice value="compact">Compact</MenuChoice>
          <MenuChoice value="roomy">Comfortable</MenuChoice>
        </Menu.RadioGroup>
        <Menu.Divider />
        <NoticeChoice />
        <Menu.Item
          leftSection={<IconKeyboard size={16} stroke={1.75} />}
          onClick={() => overlay.set("shortcuts")}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item leftSection={<IconKey size={16} stroke={1.75} />} onClick={() => overlay.set("password")}>
          Change password
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

function schemeOf(value: string) {
  return value === "light" || value === "dark" ? value : "auto"
}
