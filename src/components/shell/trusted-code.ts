import { SPECULATION_RULES } from './speculation-rules.ts';

/*
 * What this code makes run that no file of ours is: the site's policy lets a text become code only here, and whatever is
 * asked for, it is one of these.
 */

/** The service worker's address. */
export const WORKER = '/sw.js';

type Rule = (asked: string) => string;

interface TrustedCode {
  readonly createScriptURL: Rule;
  readonly createScript: Rule;
}

interface PolicyFactory {
  createPolicy(name: string, rules: TrustedCode): TrustedCode;
}

const OURS: TrustedCode = { createScriptURL: () => WORKER, createScript: () => SPECULATION_RULES };

let made: TrustedCode | undefined;

/** Of the one policy that the site allows (scripts/publish/policy.ts); browsers that know no policies take plain texts. */
export function trustedCode(): TrustedCode {
  const { trustedTypes }: Window & { readonly trustedTypes?: PolicyFactory } = window;
  made ??= trustedTypes?.createPolicy('shell', OURS) ?? OURS;
  return made;
}
