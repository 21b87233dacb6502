import { Menu } from "@mantine/core"
import { IconCheck, type Icon } from "@tabler/icons-react"

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
