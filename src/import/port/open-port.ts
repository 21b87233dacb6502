import type { FromSheet, SheetPort } from "./sheet-port.ts"

/** Opens the sheet in a worker of its own, so that a hundred thousand rows never hold the page up. */
export async function openPort(): Promise<SheetPort> {
  if (typeof Worker === "undefined") {
    const { inlinePort } = await import("./inline-port.ts")
    return inlinePort()
  }
  const worker = new Worker(new URL("./sheet.worker.ts", import.meta.url), { type: "module" })
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target origin
    send: (message) => worker.postMessage(message),
    listen(onMessage, onBroken) {
      worker.addEventListener("message", ({ data }: MessageEvent<FromSheet>) => onMessage(data))
      worker.addEventListener("error", onBroken)
    },
    close: () => worker.terminate(),
  }
}
