import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import type { ShipFlow } from "../../../ship/flow/ship-flow.ts"
import type { Step } from "../../../ship/flow/flow-state.ts"
import { Kbd } from "../../../ui/kbd.tsx"
import { orderQuestionWords } from "./step-words.ts"
import { Strip } from "./strip.tsx"
import classes from "./strip.module.css"

interface QuestionStripProps {
  step: Exclude<Step, { at: "order" } | { at: "parcel" }>
  flow: ShipFlow
}

/** What a person is asked before it goes on; answered by one key. */
export function QuestionStrip({ step, flow }: QuestionStripProps) {
  if (step.at === "carrier") return <CarrierQuestion step={step} flow={flow} />
  const order = step.at === "order-question"
  const { title, text } = order ? orderQuestionWords(step) : numberWords(step)
  return (
    <Strip
      tone="question"
      title={title}
      end={
        <>
          <Button onClick={() => flow.answer(true)} rightSection={<Kbd>Y</Kbd>}>
            {order ? "Ship it" : "One parcel"}
          </Button>
          <Button onClick={() => flow.answer(false)} rightSection={<Kbd>N</Kbd>}>
            {order ? "Leave it" : "Scan again"}
          </Button>
        </>
      }
    >
      {text}
    </Strip>
  )
}

function numberWords({ other, found }: Extract<Step, { at: "number-question" }>) {
  return {
    title: `${other} already has the number ${found.number}`,
    text: "Press Y if both orders are in one parcel, or scan the same number again. Press N, or scan another number, if not.",
  }
}

function CarrierQuestion({ step, flow }: { step: Extract<Step, { at: "carrier" }>; flow: ShipFlow }) {
  const { found, choices } = step
  return (
    <Strip tone="question" title={`Which carrier is ${found.number}?`}>
      {found.unchecked.includes("carrier")
        ? "It can’t be looked up now. Press 0 to decide when you’re back online."
        : found.candidates.length > 0
          ? "Several carriers match. Your choice is remembered for similar numbers."
          : "No carrier matches. Your choice is remembered for similar numbers."}
      <span className={classes.choices}>
        {choices.map((carrier, at) => (
          <Button key={carrier.code} onClick={() => flow.choose(carrier)} rightSection={<Kbd>{at + 1}</Kbd>}>
            {carrier.name}
          </Button>
        ))}
        <Button onClick={() => flow.choose(null)} rightSection={<Kbd>0</Kbd>}>
          {found.unchecked.includes("carrier") ? "Later" : "No carrier"}
        </Button>
      </span>
    </Strip>
  )
}
