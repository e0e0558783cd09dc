import { fetchInBackground } from '#api/background.ts';
import { storeTermsRequest } from '#api/requests.ts';
import type { StoreTerms } from '#domain/buying/facts.ts';
import { sentencesOf } from '#domain/buying/forecast.ts';
import { chargeOf } from '#domain/delivery.ts';
import { deliveryTexts } from '#domain/delivery-texts.ts';
import { postalCodeHint } from '#domain/pin.ts';
import { $place, rememberPlace } from '#stores/cart/place.ts';

/* Loaded on demand, because it imports valibot and the rules. */

let terms: StoreTerms | undefined;

async function fetchTerms(): Promise<StoreTerms | undefined> {
  const result = await fetchInBackground(storeTermsRequest());
  if (result.ok) terms = result.value;
  return terms;
}

/** Returns why nothing is delivered there, or what it costs. */
async function answerFor(place: string): Promise<{ text: string; isRefused: boolean }> {
  const store = terms ?? (await fetchTerms());
  if (!store) return { text: 'The shop did not answer. Please try again.', isRefused: true };
  const facts = { store, postalCode: place, subtotal: 0 };
  const [problem] = sentencesOf([], new Map(), facts, Date.now()).place;
  const { sentence } = deliveryTexts({
    ...store.delivery,
    charge: chargeOf(store.delivery, place),
    places: [],
  });
  return problem
    ? { text: problem.text, isRefused: true }
    : { text: `We deliver to ${place}. ${sentence}`, isRefused: false };
}

function start(form: HTMLFormElement): () => void {
  const input = form.querySelector('input');
  const note = form.querySelector<HTMLElement>('[role=status]');
  const say = (text: string, isRefused: boolean): void => {
    note?.toggleAttribute('data-refused', isRefused);
    note?.replaceChildren(text);
  };
  /** Also after another tab has changed the place. */
  const show = async (place: string): Promise<void> => {
    if (input && place) input.value = place;
    const { text, isRefused } = place ? await answerFor(place) : { text: '', isRefused: false };
    if (place === $place.get()) say(text, isRefused);
  };
  $place.subscribe((place) => void show(place));
  return () => {
    const postalCode = input?.value ?? '';
    const hint = postalCodeHint(postalCode);
    if (hint) return say(hint, true);
    rememberPlace(postalCode);
    void show($place.get());
  };
}

let submit: (() => void) | undefined;

/** Shows the answer for the remembered place. Returns a function that takes a new one from the form. */
export function watchPlace(form: HTMLFormElement): () => void {
  submit ??= start(form);
  return submit;
}
