/** What the journeys need from a browser. The clients of both engines can do it. */
export interface Browser {
  readonly open: (url: string) => Promise<unknown>;
  readonly address: () => Promise<string>;
  readonly reload: () => Promise<unknown>;
  /** Runs a function in the page. It is sent there as text, so it may use nothing from outside itself. */
  readonly evaluate: <Result>(
    work: (...given: string[]) => Result,
    ...given: string[]
  ) => Promise<Awaited<Result>>;
  /** The element that such a function finds in the page; undefined if it finds none. */
  readonly find: (
    work: (...given: string[]) => Element | null,
    ...given: string[]
  ) => Promise<Found | undefined>;
  /** Opens a tab and switches to it. */
  readonly newTab: () => Promise<unknown>;
  /** Switches to a tab. Tabs are counted from 0, in the order in which they were opened. */
  readonly switchTo: (tab: number) => Promise<unknown>;
  readonly close: () => Promise<unknown>;
}

/** An element of the page. All its functions reject once it is no longer in the page. */
export interface Found {
  /** Its position and size. */
  readonly place: () => Promise<unknown>;
  readonly click: () => Promise<unknown>;
  readonly type: (text: string) => Promise<unknown>;
}
