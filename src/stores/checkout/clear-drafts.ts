import { tabStorage, writeStored } from '#stores/shell/storage.ts';

/** The address as it is typed. It is stored for this tab, so that it survives a reload and a sign-in. */
export const DRAFT_KEY = 'checkout-address';
/** The time of the last sign-out, in ms since 1970. Drafts from before it, in any tab, are discarded. */
export const SIGNED_OUT_KEY = 'signed-out';

export const clearDraft = (): void => void tabStorage.take(DRAFT_KEY);

/** Discards the drafts of all tabs. A file of its own: a page without a form does not load the code of addresses for it. */
export function clearDrafts(): void {
  clearDraft();
  writeStored(SIGNED_OUT_KEY, String(Date.now()));
}
