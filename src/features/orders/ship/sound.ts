import * as z from "zod/mini"
import { createStored } from "../../../lib/browser-storage.ts"

/** Whether the ship desk plays sounds; stored in this browser. */
export const useShipSound = createStored("laurel-ship-sound", z.object({ isOn: z.boolean() }), { isOn: true })

export function switchSound(): void {
  useShipSound.setState(({ isOn }) => ({ isOn: !isOn }))
}

/**
 * Pitch in Hz, start and length in s: one short tone for saved, two low ones for refused or a question, three rising
 * ones for another order.
 */
const tones = {
  saved: [[988, 0, 0.09]],
  refused: [
    [233, 0, 0.14],
    [196, 0.2, 0.2],
  ],
  switched: [
    [523, 0, 0.1],
    [659, 0.12, 0.1],
    [784, 0.24, 0.16],
  ],
} as const

let context: AudioContext | undefined

export function chime(kind: keyof typeof tones): void {
  if (!useShipSound.getState().isOn || typeof AudioContext === "undefined") return
  const audio = (context ??= new AudioContext())
  // Browsers stay silent until a key was pressed; a scan is one.
  void audio.resume()
  for (const [pitch, from, length] of tones[kind]) {
    const [start, end] = [audio.currentTime + from, audio.currentTime + from + length]
    const volume = audio.createGain()
    volume.gain.setValueAtTime(0.0001, start)
    volume.gain.exponentialRampToValueAtTime(0.25, start + 0.01)
    volume.gain.exponentialRampToValueAtTime(0.0001, end)
    const voice = audio.createOscillator()
    voice.frequency.value = pitch
    voice.connect(volume).connect(audio.destination)
    voice.start(start)
    voice.stop(end)
  }
}
