import { WORKER_PATH } from '#paths.ts';
import { SPECULATION_RULES } from './speculation-rules.ts';

/*
 * The only place where the Content Security Policy lets a text become code (Trusted Types). The rules ignore their input
 * and return one of two constants.
 */

type Rule = (input: string) => string;

interface TrustedCode {
  readonly createScriptURL: Rule;
  readonly createScript: Rule;
}

interface PolicyFactory {
  createPolicy(name: string, rules: TrustedCode): TrustedCode;
}

const OURS: TrustedCode = { createScriptURL: () => WORKER_PATH, createScript: () => SPECULATION_RULES };

let policy: TrustedCode | undefined;

/**
 * The only Trusted Types policy that the site allows (scripts/publish/site/content-security-policy.ts). Browsers without
 * Trusted Types accept plain texts.
 */
export function trustedCode(): TrustedCode {
  const { trustedTypes }: Window & { readonly trustedTypes?: PolicyFactory } = window;
  policy ??= trustedTypes?.createPolicy('shell', OURS) ?? OURS;
  return policy;
}
