/** Where processes run: two of the same place can be told apart by process id and start time. */
export interface Place {
  /**
   * The machine, if it is certain that no other one calls itself the same; otherwise empty. In a container it is
   * empty: machine id and host name come with the image and the set-up there.
   */
  readonly machine: string
  /** One run of the machine's kernel. */
  readonly boot: string
  /** Processes see each other's ids only within one of these. */
  readonly namespace: string
}

/** The processes of this place. */
export interface ProcessTable {
  readonly place: Place
  /**
   * When a process started, as a text to compare; `ended` for one that can do nothing any more; undefined when that
   * cannot be seen.
   */
  started(pid: number): string | undefined
}
