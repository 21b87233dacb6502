import classes from "./clash-choice.module.css"
import type { Clash } from "./three-way.ts"

interface ClashChoiceProps {
  clash: Clash
  choice: "theirs" | "yours" | undefined
  onChoose: (choice: "theirs" | "yours") => void
}

const names: Readonly<Record<string, string>> = {
  first_name: "First name",
  last_name: "Last name",
  company: "Company",
  phone: "Phone",
  status: "Status",
}

/** One field that both changed: whose value goes on. */
export function ClashChoice({ clash, choice, onChoose }: ClashChoiceProps) {
  const name = names[clash.field] ?? clash.field
  const option = (side: "theirs" | "yours", label: string) => (
    <label className={classes.option} data-on={choice === side || undefined}>
      <input
        type="radio"
        name={clash.field}
        checked={choice === side}
        onChange={() => onChoose(side)}
        className={classes.radio}
      />
      <span className={classes.side}>{label}</span>
      <Value text={clash[side]} />
    </label>
  )
  return (
    <fieldset className={classes.clash}>
      <legend className={classes.name}>{name}</legend>
      {option("theirs", "Theirs (current record)")}
      {option("yours", "Yours")}
      <p className={classes.before}>
        Before: <Value text={clash.before} />
      </p>
    </fieldset>
  )
}

function Value({ text }: { text: string }) {
  return text === "" ? (
    <span className="text-muted">Empty</span>
  ) : (
    <span className={classes.value}>{text}</span>
  )
}
