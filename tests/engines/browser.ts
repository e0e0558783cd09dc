/** What the journeys need of a browser: what the clients of both engines can do. */
export interface Browser {
  readonly open: (url: string) => Promise<unknown>;
  readonly address: () => Promise<string>;
  readonly back: () => Promise<unknown>;
  readonly reload: () => Promise<unknown>;
  /** Runs a function in the page. It is sent there as text, so it may not use what is outside it. */
  readonly evaluate: <Result>(
    work: (...given: string[]) => Result,
    ...given: string[]
  ) => Promise<Awaited<Result>>;
  /** What such a function finds in the page; undefined where it finds nothing. */
  readonly find: (
    work: (...given: string[]) => Element | null,
    ...given: string[]
  ) => Promise<Found | undefined>;
  /** Opens a tab and goes there. */
  readonly newTab: () => Promise<unknown>;
  /** Goes to a tab, counted from 0 in the order in which they were opened. */
  readonly switchTo: (tab: number) => Promise<unknown>;
  readonly close: () => Promise<unknown>;
}

/** An element of the page. All of these reject once it is no longer there. */
export interface Found {
  /** Where it stands, and how large it is. */
  readonly place: () => Promise<unknown>;
  readonly click: () => Promise<unknown>;
  readonly type: (text: string) => Promise<unknown>;
}
