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

export interface Comparison {
  /** Whether another staff member changed a part since the page was rendered. */
  readonly isEditConflict: boolean;
  readonly changed: { readonly byOthers: ReadonlySet<string>; readonly byYou: ReadonlySet<string> };
  /** The typed text of parts that this editor changed, the stored text of all others. */
  readonly merged: Parts;
  /** Parts whose merged text differs from the stored one, and parts that both changed. */
  readonly conflicts: readonly Conflict[];
}

/** Compares the form version with the stored and the typed parts. A part missing in `typed` is unchanged. */
export function compare(version: string, stored: Parts, typed: Parts): Comparison {
  const before = new URLSearchParams(version);
  const names = Object.keys(stored);
  const isOther = (name: string, parts: Parts): boolean =>
    parts[name] !== undefined && shortHash(parts[name]) !== before.get(name);
  const byOthers = new Set(names.filter((name) => isOther(name, stored)));
  const byYou = new Set(names.filter((name) => isOther(name, typed)));
  const textOf = (name: string): string => (byYou.has(name) ? typed : stored)[name] ?? '';
  return {
    isEditConflict: byOthers.size > 0,
    changed: { byOthers, byYou },
    merged: Object.fromEntries(names.map((name) => [name, textOf(name)])),
    conflicts: names
      .filter((name) => textOf(name) !== stored[name] || (byYou.has(name) && byOthers.has(name)))
      .map((name) => ({ label: name, yours: textOf(name), now: stored[name] ?? '' })),
  };
}

/**
 * Detects edit conflicts: continues only if the stored parts still have the form's version.
 * Call it in the transaction, with the parts as they are stored then.
 * @throws ChangeAborted, which shows the page that `answer` renders
 */
export function requireFormVersion(
  form: FormData,
  stored: Parts,
  typed: Parts,
  answer: (comparison: Comparison) => Response | Promise<Response>,
): void {
  const comparison = compare(formVersionIn(form), stored, typed);
  if (comparison.isEditConflict) throw new ChangeAborted(() => answer(comparison));
}

/** Refuses a form that was shown before another staff member changed what it is about. @throws Refusal 409 */
export function requireUnchanged(form: FormData, stored: Parts): void {
  const { byOthers } = compare(formVersionIn(form), stored, {}).changed;
  const now = [...byOthers].map((name) => `${name}: ${stored[name] || 'nothing'}`).join(', ');
  if (now)
    throw new Refusal(
      409,
      `Another staff member changed this: ${now}. Nothing of yours was saved. Open it again.`,
    );
}
