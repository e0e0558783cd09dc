import { createHash } from 'node:crypto';
import { Refusal } from '#server/http/refusal.ts';
import { ChangeAborted } from './change.ts';
import type { Conflict } from './views/pieces.tsx';

/** The parts of a record that a form can change: readable texts by name, such as `{ Role: 'Editor' }`. */
export type Parts = Readonly<Record<string, string>>;

const FORM_VERSION = 'version';

const HASH_LENGTH = 11;

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);

/** Returns a short hash of each part, so that a form need not carry long texts. */
export const formVersionOf = (parts: Parts): string =>
  new URLSearchParams(Object.entries(parts).map(([name, text]) => [name, shortHash(text)])).toString();

export const formVersion = (parts: Parts) => ({ [FORM_VERSION]: formVersionOf(parts) });

/** Returns the version that `formVersionOf` gave the form. @throws Refusal 400 without one */
export function formVersionIn(form: FormData): string {
  const version = form.get(FORM_VERSION);
  if (typeof version !== 'string') {
    throw new Refusal(400, 'This form has no version. Open the page again.');
  }
  return version;
}

export interface EditConflict {
  /** The sent text of parts that this editor changed, the stored text of all others. */
  readonly merged: Parts;
  /** Parts whose merged text differs from the stored one, and parts that both changed. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Detects edit conflicts: continues only if the stored parts still have the form's version.
 * Call it in the transaction, with the parts as they are stored then. A part missing in `sent` is unchanged.
 * @throws ChangeAborted, which shows the page that `answer` renders
 */
export function requireFormVersion(
  form: FormData,
  stored: Parts,
  sent: Parts,
  answer: (conflict: EditConflict) => Response | Promise<Response>,
): void {
  const before = new URLSearchParams(formVersionIn(form));
  const names = Object.keys(stored);
  const changedIn = (parts: Parts): Set<string> =>
    new Set(names.filter((name) => parts[name] !== undefined && shortHash(parts[name]) !== before.get(name)));
  const [byOthers, byYou] = [changedIn(stored), changedIn(sent)];
  if (byOthers.size === 0) return;
  const merged = Object.fromEntries(
    names.map((name) => [name, (byYou.has(name) ? sent : stored)[name] ?? '']),
  );
  const conflicts = names
    .filter((name) => merged[name] !== stored[name] || (byYou.has(name) && byOthers.has(name)))
    .map((name) => ({ label: name, yours: merged[name] ?? '', now: stored[name] ?? '' }));
  throw new ChangeAborted(() => answer({ merged, conflicts }));
}

/** Refuses a form if another staff member has changed its subject since it was shown. @throws Refusal 409 */
export const requireUnchanged = (form: FormData, stored: Parts): void =>
  requireFormVersion(form, stored, stored, ({ conflicts }) => {
    const now = conflicts.map((part) => `${part.label}: ${part.now || 'nothing'}`).join(', ');
    const text = `Another staff member changed this: ${now}. Nothing of yours was saved. Open it again.`;
    throw new Refusal(409, text);
  });
