/** What the shopper reads of a return, by its state in the API. A new state is a line here. */
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

/** A function, so that pages without returns have nothing of it. */
export const returnStates = (): ReturnState[] => Object.keys(RETURN_TEXTS).filter(isReturnState);

/** How many pieces of which item of an order: `line` counts its items from 0. */
export interface ReturnLine {
  readonly line: number;
  readonly quantity: number;
}

/** A return of an order. */
export interface OrderReturn {
  readonly state: ReturnState;
  readonly lines: readonly ReturnLine[];
  readonly reason: string;
  /** What the shop says to it; '' for nothing. */
  readonly answer: string;
}
