import { MantineProvider } from "@mantine/core"
import { render, screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, it } from "vitest"
import { theme } from "../theme.ts"
import { IconButton } from "./button.tsx"

it("an icon button shows its label as a tooltip on keyboard focus, until Escape", async () => {
  render(
    <MantineProvider theme={theme} env="test">
      <IconButton label="Refresh" icon="↻" />
    </MantineProvider>,
  )
  await userEvent.tab()
  expect(screen.getByRole("button", { name: "Refresh" })).toHaveFocus()
  expect(await screen.findByRole("tooltip")).toHaveTextContent("Refresh")
  await userEvent.keyboard("{Escape}")
  await waitFor(() => expect(screen.queryByRole("tooltip")).not.toBeInTheDocument())
})
