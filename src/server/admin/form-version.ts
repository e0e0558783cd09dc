import { createHash } from 'node:crypto';
import { Refusal } from '#server/http/refusal.ts';
import { ChangeAborted } from './change.ts';
import type { Conflict } from './views/pieces.ts';

/** What a page shows of a thing, part by part: texts that a person can read, by the name of the part. */
export type Parts = Readonly<Record<string, string>>;

/** The name of the field by which a form tells what its page showed. */
const FORM_VERSION = 'version';

const HASH_LENGTH = 11;

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);

/** A hash of each part, so short that a form can carry those of long texts. */
export const formVersionOf = (parts: Parts): string =>
  new URLSearchParams(Object.entries(parts).map(([name, text]) => [name, shortHash(text)])).toString();

/** The hidden field of a form whose page shows these parts. */
export const formVersion = (parts: Parts) => ({ [FORM_VERSION]: formVersionOf(parts) });

/** What a form tells that its page showed, by `formVersionOf`. @throws Refusal where it tells nothing */
export function formVersionIn(form: FormData): string {
  const version = form.get(FORM_VERSION);
  if (typeof version !== 'string') {
    throw new Refusal(400, 'This form does not tell what its page showed. Open the page again.');
  }
  return version;
}

export interface Comparison {
  /** Whether somebody else has changed a part since the page was made. */
  readonly isStale: boolean;
  /** The parts that somebody else has changed, and those that were typed differently from what the page showed. */
  readonly changed: { readonly byOthers: ReadonlySet<string>; readonly byYou: ReadonlySet<string> };
  /** What was typed where it was changed, and what is stored everywhere else. */
  readonly merged: Parts;
  /** The parts of which `merged` has another value than the stored one, or that both have changed. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Compares what a form's page showed, what is stored and what was typed. A part that the form does not have
 * was not changed by it.
 */
export function compare(version: string, stored: Parts, typed: Parts): Comparison {
  const before = new URLSearchParams(version);
  const names = Object.keys(stored);
  const isOther = (name: string, parts: Parts): boolean =>
    parts[name] !== undefined && shortHash(parts[name]) !== before.get(name);
  const byOthers = new Set(names.filter((name) => isOther(name, stored)));
  const byYou = new Set(names.filter((name) => isOther(name, typed)));
  const textOf = (name: string): string => (byYou.has(name) ? typed : stored)[name] ?? '';
  return {
    isStale: byOthers.size > 0,
    changed: { byOthers, byYou },
    merged: Object.fromEntries(names.map((name) => [name, textOf(name)])),
    conflicts: names
      .filter((name) => textOf(name) !== stored[name] || (byYou.has(name) && byOthers.has(name)))
      .map((name) => ({ label: name, yours: textOf(name), now: stored[name] ?? '' })),
  };
}

/**
 * Lets a change go on only if nobody has changed these parts since the form's page was made. Call it in the transaction,
 * with what is stored at that moment. @throws NotDone, which is answered by the page that `answer` makes
 */
export function requireFormVersion(
  form: FormData,
  stored: Parts,
  typed: Parts,
  answer: (comparison: Comparison) => Response | Promise<Response>,
): void {
  const comparison = compare(formVersionIn(form), stored, typed);
  if (comparison.isStale) throw new ChangeAborted(() => answer(comparison));
}
