import { vi } from 'vitest';

type Told = { by: number; oldValue: string | null; newValue: string | null };

/** localStorage as Chromium has it: each process keeps a copy, and hears of the others' writes after a while. */
export class SharedStorage {
  #value: string | null = null;
  #areas: { copy: string | null; pending: number; sent: Told[]; inbox: Told[]; events: Told[] }[] = [];

  constructor(tabs: number) {
    for (let tab = 0; tab < tabs; tab += 1)
      this.#areas.push({ copy: null, pending: 0, sent: [], inbox: [], events: [] });
  }

  #area(tab: number) {
    const area = this.#areas[tab];
    if (!area) throw new Error(`There is no tab ${tab}.`);
    return area;
  }

  /** Whatever asks for localStorage from now on is this tab. */
  enter(tab: number): void {
    const area = this.#area(tab);
    const write = (newValue: string | null): void => {
      if (newValue === area.copy) return;
      area.sent.push({ by: tab, oldValue: null, newValue });
      area.copy = newValue;
      area.pending += 1;
    };
    vi.stubGlobal('localStorage', {
      getItem: () => area.copy,
      setItem: (_key: string, value: string) => write(value),
      removeItem: () => write(null),
    });
  }

  /** The tab's first write that has not arrived does, and everybody will be told. */
  arrive(tab: number): boolean {
    const write = this.#area(tab).sent.shift();
    if (!write) return false;
    const told = { ...write, oldValue: this.#value };
    this.#value = write.newValue;
    for (const area of this.#areas) area.inbox.push(told);
    return true;
  }

  /** The tab's copy follows the first write it has not heard of, unless one of its own is on the way; an event will tell. */
  hear(tab: number): void {
    const area = this.#area(tab);
    const told = area.inbox.shift();
    if (told?.by === tab) area.pending -= 1;
    else if (told) {
      if (area.pending === 0) area.copy = told.newValue;
      area.events.push(told);
    }
  }

  /** The first storage event that has not been dispatched: it may come long after the copy has followed. */
  nextEvent(tab: number): StorageEvent | undefined {
    const told = this.#area(tab).events.shift();
    return told && new StorageEvent('storage', { key: 'cart', ...told });
  }

  /** A frozen page hears of nothing. */
  dropEvents(tab: number): void {
    this.#area(tab).events.length = 0;
  }

  get isQuiet(): boolean {
    return this.#areas.every(({ sent, inbox, events }) => sent.length + inbox.length + events.length === 0);
  }
}
