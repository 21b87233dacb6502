import { mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, type Page } from "@playwright/test"
import bwip from "bwip-js/node"
import { enter, test, watch } from "./app.ts"
import { postNumber } from "./scanner.ts"
import { queuedOrders } from "./orders-to-ship.ts"

test("a phone scans order and label with its camera, and explains a blocked camera", async ({
  page: scout,
  playwright,
  launchOptions,
  builtIn,
}) => {
  await enter(scout, builtIn.url, "fulfilment", "/orders/ship")
  const id = (await queued(scout)).at(-1) ?? ""
  const number = postNumber(77)
  const folder = await mkdtemp(join(tmpdir(), "laurel-camera-"))
  const video = join(folder, "bench.y4m")
  // Chromium ignores a camera without frames, so the video must exist before it starts.
  await writeVideo(video, [id, number])
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-video-capture=${video}`,
    ],
  })
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const page = await context.newPage()
  const complaints: string[] = []
  watch(page, complaints)
  await enter(page, builtIn.url, "fulfilment", "/orders/ship")
  const camera = page.getByRole("button", { name: "Scan with the camera" })
  await camera.tap()
  await expect(page.getByRole("alert").filter({ hasText: "The camera is blocked" })).toBeVisible()
  await context.grantPermissions(["camera"])
  await page.getByRole("button", { name: "Try again" }).tap()
  await expect(page.getByText(/^Scanned: /)).toBeVisible()
  await expect(page.getByText(id).first()).toBeVisible()
  await expect(page.getByText(number).first()).toBeVisible()
  await camera.tap()
  await expect(page.getByLabel("Camera picture")).toBeHidden()
  expect(complaints).toEqual([])
  await browser.close()
  await rm(folder, { recursive: true })
})

/** Ids of the queued orders, in order. */
async function queued(page: Page): Promise<string[]> {
  const queue = page.getByRole("complementary", { name: "To ship" })
  await expect(queue.getByRole("listitem").first()).toBeVisible()
  return queuedOrders(page)
}

const size = { width: 640, height: 240 }

/** Writes a video of codes held before a camera, one second each: greyscale, 10 frames a second. */
async function writeVideo(path: string, codes: readonly string[]): Promise<void> {
  const file = await open(path, "w")
  await file.write(`YUV4MPEG2 W${size.width} H${size.height} F10:1 Ip A1:1 C420jpeg\n`)
  const noColour = Buffer.alloc((size.width * size.height) / 2, 128)
  for (const code of codes.flatMap((each) => [each, ""])) {
    const frame = Buffer.concat([Buffer.from("FRAME\n"), frameOf(code), noColour])
    for (let at = 0; at < 10; at += 1) await file.write(frame)
  }
  await file.close()
}

/** A white frame with a Code 128 symbol, 3 px per module. */
function frameOf(code: string): Buffer {
  const line = Buffer.alloc(size.width, 230)
  const [symbol] = code === "" ? [] : bwip.raw("code128", code, {})
  const widths = symbol !== undefined && "sbs" in symbol ? symbol.sbs : []
  let at = 40
  for (const [index, modules] of widths.entries()) {
    if (index % 2 === 0) line.fill(20, at, at + modules * 3)
    at += modules * 3
  }
  return Buffer.concat(Array.from({ length: size.height }, () => line))
}
