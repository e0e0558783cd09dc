import { reload } from '#stores/shell/navigation.ts';

/**
 * The secret of the email's link that opened this page, or ''. It leaves the address at once. Only this tab's history
 * keeps it, because a phone may load the page anew before the form is sent.
 */
let secret = '';

export const linkToken = (): string => secret;

/** Keeps the secret with this entry of the tab's history, and takes query and hash out of the address. */
const storeInHistory = (text: string): void => history.replaceState(text, '', location.pathname);

function storedInHistory(): string {
  const state: unknown = history.state;
  return typeof state === 'string' ? state : '';
}

/** Forgets the secret, because its link is used up. */
export function clearLink(): void {
  secret = '';
  storeInHistory('');
}

/** What follows '#' in the address, but not where it names an element, as the link that skips to the content does. */
const secretInAddress = (): string => {
  const text = location.hash.slice(1);
  return document.getElementById(text) ? '' : text;
};

/** Opening a second link changes only the hash, so the page is reloaded by hand. */
const reloadForNewLink = (): void => {
  if (secretInAddress() !== '') reload();
};

/**
 * Takes the secret of an email's link out of the address. Returns a function that closes the page.
 * @param withoutLink opens a page to which no link has led, and returns a function that closes it
 */
export function openEmailLink(withoutLink: () => () => void = () => () => {}): () => void {
  const found = secretInAddress();
  secret = found || storedInHistory();
  if (found !== '') storeInHistory(found);
  addEventListener('hashchange', reloadForNewLink);
  const close = secret ? undefined : withoutLink();
  return () => {
    removeEventListener('hashchange', reloadForNewLink);
    close?.();
  };
}
