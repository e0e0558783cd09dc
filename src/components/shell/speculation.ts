import { savesData } from '#stores/shell/connection.ts';
import { trustedCode } from './trusted-code.ts';

const TYPE = 'speculationrules';

interface ScriptTypes {
  readonly supports?: (type: string) => boolean;
}

/**
 * Lets the browser fetch the next page ahead of a tap, but where data is to be saved; anew each time that has changed. It
 * comes with the later part: the page itself is one round trip without it.
 */
export function tendSpeculation(): void {
  document.querySelector(`script[type=${TYPE}]`)?.remove();
  const { supports }: ScriptTypes = HTMLScriptElement;
  if (!supports?.(TYPE) || savesData()) return;
  const script = document.createElement('script');
  script.type = TYPE;
  try {
    script.text = trustedCode().createScript('');
    document.head.append(script);
  } catch {
    // A policy that is not the site's own refuses: nothing is fetched ahead.
  }
}
