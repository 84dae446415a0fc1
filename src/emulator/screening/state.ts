declare module '../world/world' {
  interface World {
    readonly screening: ScreeningState;
  }
}

export class ScreeningState {
  /** By address: the name of the risk rule that a test has assigned; null exempts the address, whatever its suffix. */
  readonly overrides = new Map<string, string | null>();
}
