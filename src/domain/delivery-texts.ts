import { type DeliveryTerms, isAlwaysFree } from './delivery.ts';
import { formatRupees } from './money.ts';

interface DeliveryTexts {
  /** A heading; `text` follows it: 'Free shipping' and 'from ₹499'. */
  readonly title: string;
  readonly text: string;
  /** On its own: 'Free shipping from ₹499'. */
  readonly fact: string;
  /** Within a sentence: 'free shipping from ₹499'. */
  readonly terms: string;
  readonly sentence: string;
}

export function deliveryTexts(delivery: DeliveryTerms): DeliveryTexts {
  const { charge, freeFrom, places = [] } = delivery;
  if (isAlwaysFree(delivery)) {
    return {
      title: 'Free shipping',
      text: 'on every order',
      fact: 'Free shipping',
      terms: 'free shipping on every order',
      sentence: 'Shipping is free on every order.',
    };
  }
  if (!charge) {
    return {
      title: 'Free shipping',
      text: 'in most places',
      fact: 'Free shipping in most places',
      terms: 'free shipping in most places',
      sentence: 'Shipping is free in most places. The checkout says what it costs in yours.',
    };
  }
  const from = freeFrom === null ? '' : formatRupees(freeFrom);
  const charges = places.map((place) => place.charge).filter((paid) => paid > 0);
  const cost = formatRupees(Math.min(charge, ...charges));
  if (places.some((place) => place.charge !== charge)) {
    return {
      title: `Shipping from ${cost}`,
      text: from ? `free from ${from}` : 'by PIN code',
      fact: `Shipping from ${cost}${from && `, free from ${from}`}`,
      terms: `shipping from ${cost}${from && `, free from ${from}`}`,
      sentence: `Shipping costs from ${cost}. The checkout says what it costs in your place.${from && ` It is free from ${from}.`}`,
    };
  }
  if (from === '') {
    return {
      title: `Shipping ${cost}`,
      text: 'on every order',
      fact: `Shipping ${cost}`,
      terms: `shipping for ${cost} on every order`,
      sentence: `Shipping costs ${cost} on every order.`,
    };
  }
  return {
    title: 'Free shipping',
    text: `from ${from}`,
    fact: `Free shipping from ${from}`,
    terms: `free shipping from ${from}`,
    sentence: `Shipping costs ${cost}. It is free from ${from}.`,
  };
}
