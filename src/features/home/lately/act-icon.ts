import {
  IconActivity,
  IconCoin,
  IconCreditCard,
  IconDownload,
  IconGift,
  IconPackage,
  IconPencil,
  IconUsers,
  type Icon,
} from "@tabler/icons-react"

const icons: Readonly<Record<string, Icon>> = {
  card: IconCreditCard,
  export: IconDownload,
  job: IconActivity,
  member: IconUsers,
  order: IconPackage,
  points: IconCoin,
  reward: IconGift,
}

/** The icon of an audited action, by what it is about: `points.award` is about points. */
export function actIcon(action: string): Icon {
  const [about = ""] = action.split(".")
  return (Object.hasOwn(icons, about) ? icons[about] : undefined) ?? IconPencil
}
