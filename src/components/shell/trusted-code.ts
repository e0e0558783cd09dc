import { SPECULATION_RULES } from './speculation-rules.ts';

/*
 * The one place where the site's Content Security Policy lets a text become code (Trusted Types). Its rules ignore what
 * they are given and return one of the shop's two own texts.
 */

/** The service worker's address. */
export const WORKER = '/sw.js';

type Rule = (input: string) => string;

interface TrustedCode {
  readonly createScriptURL: Rule;
  readonly createScript: Rule;
}

interface PolicyFactory {
  createPolicy(name: string, rules: TrustedCode): TrustedCode;
}

const OURS: TrustedCode = { createScriptURL: () => WORKER, createScript: () => SPECULATION_RULES };

let policy: TrustedCode | undefined;

/**
 * The one Trusted Types policy that the site allows (scripts/publish/site/content-security-policy.ts). Browsers without
 * Trusted Types take plain texts.
 */
export function trustedCode(): TrustedCode {
  const { trustedTypes }: Window & { readonly trustedTypes?: PolicyFactory } = window;
  policy ??= trustedTypes?.createPolicy('shell', OURS) ?? OURS;
  return policy;
}
