import { fetchInSightAhead } from './ahead.ts';

const RELATION = 'compression-dictionary';

/**
 * Has the browser keep the shop's dictionary, once for all pages: each later page then comes in some hundred bytes (RFC
 * 9842). A browser that cannot use it does not fetch it.
 */
export function holdDictionary(address: string): void {
  const link = document.createElement('link');
  if (!link.relList.supports(RELATION) || document.querySelector(`link[rel=${RELATION}]`)) return;
  link.rel = RELATION;
  link.href = address;
  link.addEventListener('load', fetchInSightAhead);
  document.head.append(link);
}
