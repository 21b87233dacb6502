import { externalValue, keepChoice, readChoice } from "../../../lib/external-value.ts"

const choiceKey = "laurel:ship-sound"

/** Whether the ship desk sounds; remembered in this browser. */
export const sound = externalValue(readChoice(choiceKey, ["on", "off"], "on"))

/** Switches it. */
export function switchSound(): void {
  const next = sound.get() === "on" ? "off" : "on"
  keepChoice(choiceKey, next)
  sound.set(next)
}

interface Tone {
  /** Pitch in Hz, beginning and length in s. */
  readonly pitch: number
  readonly from: number
  readonly length: number
}

/** One short tone for kept, two low ones for refused or asked, three rising ones when another order was opened. */
const tones: Readonly<Record<"kept" | "refused" | "switched", readonly Tone[]>> = {
  switched: [
    { pitch: 523, from: 0, length: 0.1 },
    { pitch: 659, from: 0.12, length: 0.1 },
    { pitch: 784, from: 0.24, length: 0.16 },
  ],
  kept: [{ pitch: 988, from: 0, length: 0.09 }],
  refused: [
    { pitch: 233, from: 0, length: 0.14 },
    { pitch: 196, from: 0.2, length: 0.2 },
  ],
}

let context: AudioContext | undefined

/** Sounds, unless it was switched off or the browser has no sound. */
export function chime(kind: keyof typeof tones): void {
  if (sound.get() === "off" || typeof AudioContext === "undefined") return
  context ??= new AudioContext()
  // Browsers stay silent until a key was pressed; a scan is one.
  void context.resume()
  for (const tone of tones[kind]) play(context, tone)
}

function play(audio: AudioContext, { pitch, from, length }: Tone): void {
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
