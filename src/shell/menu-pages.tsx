import { Menu } from "@mantine/core"
import { Link, useLocation } from "@tanstack/react-router"
import { activeOptions, type NavItem } from "./navigation.ts"

/** Pages of the navigation as items of a menu. */
export function MenuPages({ pages }: { pages: readonly NavItem[] }) {
  const { pathname } = useLocation()
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
