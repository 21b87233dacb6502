import { Button, TextInput } from "@mantine/core"
import { useState } from "react"
import { formatPoints } from "../../../lib/format.ts"
import classes from "./points-range.module.css"

interface PointsRangeProps {
  from: number | undefined
  to: number | undefined
  onChoose: (from: number | undefined, to: number | undefined) => void
}

/** Sets the range of points a reward may cost. Either end may be open. */
export function PointsRange({ from, to, onChoose }: PointsRangeProps) {
  const [least, setLeast] = useState(textOf(from))
  const [most, setMost] = useState(textOf(to))
  const [first, last] = [readEnd(least), readEnd(most)]
  const crossed = first.points !== undefined && last.points !== undefined && first.points > last.points
  return (
    <form
      className={classes.panel}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (first.wrong || last.wrong || crossed) return
        onChoose(first.points, last.points)
      }}
    >
      <div className={classes.ends}>
        <TextInput
          label="From"
          inputMode="numeric"
          autoComplete="off"
          value={least}
          error={first.wrong ? "Whole points" : undefined}
          onChange={(event) => setLeast(event.currentTarget.value)}
        />
        <TextInput
          label="To"
          inputMode="numeric"
          autoComplete="off"
          value={most}
          error={last.wrong ? "Whole points" : crossed ? "Less than “From”" : undefined}
          onChange={(event) => setMost(event.currentTarget.value)}
        />
      </div>
      <Button type="submit">Show</Button>
    </form>
  )
}

function textOf(points: number | undefined): string {
  return points === undefined ? "" : formatPoints(points)
}

/** Points as typed, grouped or not; nothing typed leaves the end open. */
function readEnd(text: string): { points: number | undefined; wrong: boolean } {
  const digits = text.replaceAll(/[\s,\u00A0\u202F]/g, "")
  if (digits === "") return { points: undefined, wrong: false }
  return /^\d{1,9}$/.test(digits)
    ? { points: Number(digits), wrong: false }
    : { points: undefined, wrong: true }
}
