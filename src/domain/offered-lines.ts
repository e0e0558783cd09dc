import { OFFER_NAMES, type OfferName } from './offers.ts';

/** A line of a built-in text that begins so is true only where the API offers that, such as `<!--accountData-->`. */
const OFFERED_LINE = /^<!--(\w+)-->(.*\n)/gm;

/** A built-in text without what the API does not offer. */
export const onlyOffered = (text: string, isOffered: (name: OfferName) => boolean): string =>
  text.replace(OFFERED_LINE, (_, name: string, line: string) =>
    OFFER_NAMES.some((offer) => offer === name && isOffered(offer)) ? line : '',
  );
