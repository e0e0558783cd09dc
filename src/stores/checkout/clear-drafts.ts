import { tabStorage, writeStored } from '#stores/shell/storage.ts';

/** The address as it is typed. Stored for this tab, so that it survives a reload and a sign-in. */
export const DRAFT_KEY = 'checkout-address';
/** The time of the last sign-out. Units: ms since 1970. Older drafts in any tab are discarded. */
export const SIGNED_OUT_KEY = 'signed-out';

export const clearDraft = (): void => void tabStorage.take(DRAFT_KEY);

/** Discards the drafts of all tabs. In its own file, so that pages without a form do not load the code of addresses. */
export function clearDrafts(): void {
  clearDraft();
  writeStored(SIGNED_OUT_KEY, String(Date.now()));
}
