import { act, screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, it } from "vitest"
import { refusal, renderApp, sessionOf } from "../../../tests/support/test-app.tsx"
import { fill } from "../../../tests/support/open-page.tsx"

const about = {
  version: "1.0.0",
  environment: "sandbox",
  set_up_needed: false,
  demo_accounts: [{ email: "manager@laurel.demo", password: "demo", role: "manager", does: "Points" }],
}
const nobody = () => refusal(401, "session_required")
const budget = () => []

/** A session that exists after sign-in; `keeps`: whether the browser keeps its cookie. */
function signInHandlers({ keeps = true, onSignIn = (_body: unknown) => {} } = {}) {
  let signedIn = false
  return {
    "GET /api/session": () => (signedIn ? sessionOf("manager") : nobody()),
    "POST /api/session": ({ body }: { body: unknown }) => {
      onSignIn(body)
      signedIn = keeps
      return sessionOf("manager")
    },
  }
}

async function type(email: string, password: string) {
  const user = userEvent.setup()
  await fill(user, await screen.findByLabelText("E-mail"), email)
  await fill(user, screen.getByLabelText("Password"), password)
  await user.click(screen.getByRole("button", { name: "Sign in" }))
}

describe("signing in", () => {
  it("redirects from a page of the app to the sign-in page and back", async () => {
    const { router } = renderApp("/nowhere?x=1", {
      ...signInHandlers(),
      "GET /api/about": () => about,
      "GET /api/status/budget": budget,
    })
    await type("manager@laurel.demo", "demo")
    expect(await screen.findByText("Page not found")).toBeVisible()
    expect(router.state.location.href).toBe("/nowhere?x=1")
  })

  it("takes one click with a demo account", async () => {
    const bodies: unknown[] = []
    renderApp("/sign-in?redirect=/nowhere", {
      ...signInHandlers({ onSignIn: (body) => bodies.push(body) }),
      "GET /api/about": () => about,
      "GET /api/status/budget": budget,
    })
    await userEvent.click(await screen.findByRole("button", { name: /manager@laurel.demo/ }))
    expect(await screen.findByText("Page not found")).toBeVisible()
    expect(bodies).toEqual([{ email: "manager@laurel.demo", password: "demo" }])
  })

  it("shows a message and stays on the page when the browser refuses the cookie", async () => {
    renderApp("/sign-in", { ...signInHandlers({ keeps: false }), "GET /api/about": () => about })
    await type("manager@laurel.demo", "demo")
    expect(await screen.findByText("Your browser refused Laurel’s cookie")).toBeVisible()
    expect(screen.getByLabelText("E-mail")).toHaveValue("manager@laurel.demo")
  })

  it("sends no request before both fields are valid, and names missing ones", async () => {
    const { requests } = renderApp("/sign-in", { "GET /api/session": nobody, "GET /api/about": () => about })
    const user = userEvent.setup()
    await user.type(await screen.findByLabelText("E-mail"), "nobody")
    await user.click(screen.getByRole("button", { name: "Sign in" }))
    expect(screen.getByLabelText("E-mail")).toBeInvalid()
    expect(screen.getByText("Enter the password.")).toBeVisible()
    expect(requests.filter((line) => line.startsWith("POST"))).toEqual([])
  })

  it("preserves the typed values after a refusal", async () => {
    renderApp("/sign-in", {
      "GET /api/session": nobody,
      "GET /api/about": () => about,
      "POST /api/session": () => refusal(401, "wrong_credentials"),
    })
    await type("ana@x.com.au", "secret")
    expect(await screen.findByRole("alert")).toHaveTextContent("Wrong e-mail or password")
    expect(screen.getByLabelText("E-mail")).toHaveValue("ana@x.com.au")
    expect(screen.getByLabelText("Password")).toHaveValue("secret")
  })

  const pauses: [seconds: string, again: RegExp][] = [
    ["42", /^Sign in again in 4[12] s$/],
    ["642", /^Sign in again in 11 min$/],
  ]
  const openPaused = (seconds: string) =>
    renderApp("/sign-in", {
      "GET /api/session": nobody,
      "GET /api/about": () => about,
      "POST /api/session": () => refusal(429, "too_many_attempts", { "Retry-After": seconds }),
    })

  it.each(pauses)("counts down while attempts are paused for %s s", async (seconds, action) => {
    openPaused(seconds)
    await type("ana@x.com.au", "secret")
    const button = await screen.findByRole("button", { name: action })
    expect(button).toBeDisabled()
    expect(screen.getByText("Too many attempts")).toBeVisible()
    expect(screen.getByText("This attempt wasn’t checked. What you typed is kept.")).toBeVisible()
  })

  it.each(pauses)(
    "counts down for a demo account as well, while attempts are paused for %s s",
    async (seconds, again) => {
      openPaused(seconds)
      const account = await screen.findByRole("button", { name: /manager@laurel.demo/ })
      await userEvent.click(account)
      expect(await screen.findByText(again)).toBeVisible()
      expect(account).toBeDisabled()
      // The countdown is not announced.
      expect(screen.getByText(again).closest("[role=status]")).toBeNull()
      expect(screen.queryByText(/What you typed is kept/)).not.toBeInTheDocument()
    },
  )

  it("explains what to do when no user exists yet", async () => {
    renderApp("/sign-in", {
      "GET /api/session": nobody,
      "GET /api/about": () => ({ ...about, set_up_needed: true, demo_accounts: [] }),
    })
    expect(await screen.findByText("No one can sign in yet")).toBeVisible()
    expect(screen.queryByLabelText("E-mail")).not.toBeInTheDocument()
  })

  it("shows an error when the server does not respond", async () => {
    renderApp("/sign-in", {
      "GET /api/session": () => refusal(503, "store_unavailable"),
      "GET /api/about": () => refusal(503, "store_unavailable"),
    })
    expect(await screen.findByText("Laurel’s database isn’t responding")).toBeVisible()
    expect(screen.getByRole("button", { name: "Try again" })).toBeEnabled()
  })
})

describe("a session that ends at work", () => {
  it("asks for the password over the page, then sends the pending request", async () => {
    let ended = false
    const { requests, queryClient } = renderApp("/nowhere", {
      "GET /api/session": () => sessionOf("manager"),
      "GET /api/about": () => about,
      "GET /api/status/budget": () => (ended ? refusal(401, "session_required") : []),
      "POST /api/session": () => {
        ended = false
        return sessionOf("manager")
      },
    })
    await screen.findByText("Page not found")
    ended = true
    void queryClient.invalidateQueries({ queryKey: ["budget"] })
    const dialog = await screen.findByRole("dialog", { name: "Sign in again" })
    expect(dialog).toHaveTextContent("manager@laurel.demo")
    await waitFor(() => expect(dialog).toHaveTextContent("The password of this demo account is “demo”."))
    await userEvent.type(screen.getByLabelText("Password"), "demo{Enter}")
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
    expect(screen.getByText("Page not found")).toBeVisible()
    const afterwards = () => requests.slice(requests.indexOf("POST /api/session"))
    await waitFor(() => expect(afterwards()).toContain("GET /api/status/budget"))
  })

  it("leaves the drawer below it open when Escape is pressed", async () => {
    const ana = { id: "mem_ana", first_name: "Ana", points_balance: 12_480 }
    let there: () => unknown = () => sessionOf("manager")
    const { queryClient } = renderApp("/nowhere?act=award&for=mem_ana", {
      "GET /api/about": () => about,
      "GET /api/session": () => there(),
      "GET /api/status/budget": budget,
      "GET /api/program/members/mem_ana": () => ana,
      "GET /api/reports/points": () => refusal(403, "forbidden"),
    })
    await userEvent.type(await screen.findByLabelText("Points"), "330")
    there = nobody
    await act(() => queryClient.invalidateQueries({ queryKey: ["session"] }))
    await waitFor(() => expect(screen.getByLabelText("Password")).toHaveFocus())
    await userEvent.keyboard("{Escape}")
    expect(screen.getByDisplayValue("330")).toBeInTheDocument()
  })

  it("preserves typed values when it ended in another tab, until the same user signs in again", async () => {
    let there: () => unknown = () => sessionOf("admin")
    const { queryClient, requests } = renderApp("/settings/users/new", {
      "GET /api/about": () => about,
      "GET /api/session": () => there(),
      "GET /api/users": () => [],
      "GET /api/status": () => refusal(503, "store_unavailable"),
      "GET /api/status/budget": budget,
    })
    const readSession = () => act(() => queryClient.invalidateQueries({ queryKey: ["session"] }))
    await userEvent.type(await screen.findByLabelText("Name"), "Nora")
    there = nobody
    await readSession()
    const dialog = await screen.findByRole("dialog", { name: "Sign in again" })
    expect(screen.getByDisplayValue("Nora")).toBeInTheDocument()
    // Another user must not see what was typed.
    there = () => sessionOf("fulfilment")
    await readSession()
    expect(dialog).toHaveTextContent("admin@laurel.demo")
    expect(screen.getByDisplayValue("Nora")).toBeInTheDocument()
    // Data read in the other user's name, before this tab noticed, is refetched.
    const usersRead = () => requests.filter((each) => each === "GET /api/users").length
    const read = usersRead()
    there = () => sessionOf("admin")
    await readSession()
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    await waitFor(() => expect(usersRead()).toBeGreaterThan(read))
    expect(screen.getByDisplayValue("Nora")).toBeVisible()
  })

  it("drops all cached data when the user signs out", async () => {
    const { queryClient } = renderApp("/nowhere", {
      "GET /api/session": () => sessionOf("manager"),
      "GET /api/about": () => about,
      "GET /api/status/budget": budget,
      "DELETE /api/session": () => new Response(null, { status: 204 }),
    })
    queryClient.setQueryData(["members"], "secret")
    await userEvent.click(await screen.findByRole("button", { name: /Your menu/ }))
    await userEvent.click(await screen.findByRole("menuitem", { name: "Sign out" }))
    expect(await screen.findByRole("heading", { name: "Sign in to Laurel" })).toBeVisible()
    expect(queryClient.getQueryData(["members"])).toBeUndefined()
  })
})

describe("a one-time link", () => {
  it("is read again when another is pasted into the same tab, and is removed from the URL", async () => {
    window.location.hash = "#token=used"
    renderApp("/set-password", {
      "GET /api/session": nobody,
      "GET /api/about": () => about,
      "POST /api/session/link": ({ body }) =>
        JSON.stringify(body).includes("used")
          ? refusal(404, "not_found")
          : { purpose: "password", email: "ana@laurel.demo" },
    })
    expect(await screen.findByText("This link no longer works")).toBeVisible()
    expect(screen.getByText(/for 24 hours, or one hour if it sets Laurel up/)).toBeVisible()
    window.location.hash = "#token=fresh"
    expect(await screen.findByLabelText("New password")).toBeVisible()
    expect(screen.getByText("ana@laurel.demo")).toBeVisible()
    expect(window.location.hash).toBe("")
  })
})
