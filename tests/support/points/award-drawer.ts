import { screen, waitFor, within } from "@testing-library/react"
import { expect, onTestFinished } from "vitest"
import { openPoints, type Answers } from "./open-points.tsx"

/** Awards to Ana, above the list. */
export const award = "/members?act=award&for=mem_ana"

/** Opens the drawer at an address and waits for its form. */
export async function openDrawer(address: string, answers: Answers = {}) {
  const opened = openPoints(address, { answers })
  const drawer = within(await screen.findByRole("dialog"))
  await drawer.findByLabelText("Points")
  return { ...opened, drawer }
}

/** An open drawer. */
export type Opened = Awaited<ReturnType<typeof openDrawer>>

/** Types points and a reason. */
export async function fillIn({ user, drawer }: Opened): Promise<void> {
  await drawer.findByText("Ana Silva")
  await user.type(drawer.getByLabelText("Points"), "500")
  await user.type(drawer.getByLabelText("Reason"), "Trade night")
}

/** The texts that a part of the page has from now on, each once; a part that is gone has none. */
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

/** Awards 500 points to Ana and waits until Laurel has the job. */
export async function send(opened: Opened): Promise<void> {
  await fillIn(opened)
  await opened.user.click(opened.drawer.getByRole("button", { name: "Award 500 points to Ana Silva" }))
  await waitFor(() => expect(opened.router.state.location.search).toMatchObject({ outcome: "J-1" }))
}
