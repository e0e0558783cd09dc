import { atom } from 'nanostores';
import { keptInHistory, replaceAddress, withoutTail } from '#stores/shell/address.ts';
import { onEvents, stopAll } from '#stores/shell/events.ts';
import { reload } from '#stores/shell/navigation.ts';

/**
 * The secret of the emailed link that opened this page, or ''. It is removed from the address at once and stored in
 * this tab's history, because a phone may reload the page before the form is sent.
 */
let secret = '';

/** The secret without what follows it: the email, additions of programs, or the end of a sentence. */
export const linkToken = (): string => /^[\w.~+/=-]*[\w=-]/.exec(secret)?.[0] ?? '';

/** The email of the account, if the link has it after its secret: `…&email=asha%40example.com`. */
export const $linkEmail = atom('');

/** Stores the secret in the current history entry, and removes query and hash from the address. */
const storeInHistory = (text: string): void => replaceAddress(location.pathname, { secret: text });

function storedInHistory(): string {
  const { secret } = keptInHistory();
  return typeof secret === 'string' ? secret : '';
}

export function clearLink(): void {
  secret = '';
  storeInHistory('');
}

/** The hash of the address, unless it is the id of an element, as after the link that skips to the content. */
const secretInAddress = (): string => {
  const text = location.hash.slice(1);
  return document.getElementById(text) ? '' : text;
};

/** A second link changes only the hash, so the browser does not load the page again by itself. */
const reloadForNewLink = (): void => {
  if (secretInAddress() !== '') reload();
};

/**
 * Removes the secret of an emailed link from the address and stores it. Returns a function that closes the page.
 * @param withoutLink opens the page if it was opened without a link; returns a function that closes it
 */
export function openEmailLink(withoutLink: () => () => void = () => () => {}): () => void {
  // Islands are also rendered at build, where there is no address.
  if (typeof document === 'undefined') return () => {};
  const found = secretInAddress();
  secret = found || storedInHistory();
  if (found !== '') storeInHistory(found);
  $linkEmail.set(withoutTail(new URLSearchParams(secret).get('email') ?? ''));
  return stopAll(onEvents(['hashchange'], reloadForNewLink), secret ? () => {} : withoutLink());
}
