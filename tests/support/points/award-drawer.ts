import { screen, waitFor, within } from "@testing-library/react"
import { expect, onTestFinished } from "vitest"
import { openPoints, type Answers } from "./open-points.tsx"
import { fill } from "../open-page.tsx"

/** Address of the award drawer for Ana, over the member list. */
export const award = "/members?act=award&for=mem_ana"

export async function openDrawer(address: string, answers: Answers = {}) {
  const opened = await openPoints(address, { answers })
  const drawer = within(await screen.findByRole("dialog"))
  await drawer.findByLabelText("Points")
  return { ...opened, drawer }
}

export type Opened = Awaited<ReturnType<typeof openDrawer>>

export async function fillIn({ user, drawer }: Opened): Promise<void> {
  await drawer.findByText("Ana Silva")
  await fill(user, drawer.getByLabelText("Points"), "500")
  await fill(user, drawer.getByLabelText("Reason"), "Trade night")
}

/** Collects the distinct texts that an element shows from now on; an absent element has none. */
export function textsOf(part: () => Element | null): readonly string[] {
  const texts: string[] = []
  const observer = new MutationObserver(() => {
    const text = part()?.textContent ?? ""
    if (text !== "" && text !== texts.at(-1)) texts.push(text)
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  onTestFinished(() => observer.disconnect())
  return texts
}

/** Awards 500 points to Ana and waits until the job is created. */
export async function send(opened: Opened): Promise<void> {
  await fillIn(opened)
  await opened.user.click(opened.drawer.getByRole("button", { name: "Award 500 points to Ana Silva" }))
  await waitFor(() => expect(opened.router.state.location.search).toMatchObject({ outcome: "J-1" }))
}
