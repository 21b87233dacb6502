import { Menu } from "@mantine/core"
import { type Icon, IconCheck } from "@tabler/icons-react"
import { Link, useLocation } from "@tanstack/react-router"
import { activeOptions, type NavItem } from "./navigation.ts"

interface MenuChoiceProps {
  value: string
  icon?: Icon
  children: string
}

/** One value of a `Menu.RadioGroup`; the menu stays open to show the effect. */
export function MenuChoice({ value, icon: Icon, children }: MenuChoiceProps) {
  return (
    <Menu.RadioItem value={value} closeMenuOnClick={false} checkIcon={<IconCheck size={16} stroke={2} />}>
      <span className="l-with-icon">
        {Icon && <Icon size={16} stroke={1.75} className="text-muted" aria-hidden />}
        {children}
      </span>
    </Menu.RadioItem>
  )
}

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
