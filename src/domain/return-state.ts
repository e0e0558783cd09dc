/** What the shopper reads, by the return's state in the API. A new state is a line here. */
export const RETURN_TEXTS = {
  asked: 'We have your request and will answer it',
  accepted: 'Accepted. Please send the goods back',
  kept: 'Accepted. You may keep the goods',
  refused: 'Refused',
  received: 'The goods have arrived',
  refunded: 'Done. The money goes back to you',
} as const;

export type ReturnState = keyof typeof RETURN_TEXTS;

export const isReturnState = (state: string): state is ReturnState => Object.hasOwn(RETURN_TEXTS, state);

/** A function, so that the bundler drops it from pages without returns. */
export const returnStates = (): ReturnState[] => Object.keys(RETURN_TEXTS).filter(isReturnState);

/** `line` is the index of an order's item, from 0. `quantity` is in pieces. */
export interface ReturnLine {
  readonly line: number;
  readonly quantity: number;
}

export interface OrderReturn {
  readonly state: ReturnState;
  readonly lines: readonly ReturnLine[];
  readonly reason: string;
  /** The shop's answer, or ''. */
  readonly answer: string;
}
