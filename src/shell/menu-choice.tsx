import { Menu } from "@mantine/core"
import { IconCheck, type Icon } from "@tabler/icons-react"

interface MenuChoiceProps {
  chosen: boolean
  onChoose: () => void
  icon?: Icon
  children: string
}

/** One of several values in a menu, of which one holds; the menu stays open to show the effect. */
export function MenuChoice({ chosen, onChoose, icon: Icon, children }: MenuChoiceProps) {
  return (
    <Menu.Item
      role="menuitemradio"
      aria-checked={chosen}
      closeMenuOnClick={false}
      leftSection={Icon && <Icon size={16} stroke={1.75} />}
      rightSection={chosen && <IconCheck size={16} stroke={2} />}
      onClick={onChoose}
    >
      {children}
    </Menu.Item>
  )
}
