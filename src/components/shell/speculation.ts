import { savesData } from '#stores/shell/connection.ts';
import { trustedCode } from './trusted-code.ts';

const TYPE = 'speculationrules';

interface ScriptTypes {
  readonly supports?: (type: string) => boolean;
}

/**
 * Lets the browser fetch the next page before the tap, unless the visitor saves data. It must be called again when that
 * choice changes.
 */
export function updateSpeculation(): void {
  document.querySelector(`script[type=${TYPE}]`)?.remove();
  const { supports }: ScriptTypes = HTMLScriptElement;
  if (!supports?.(TYPE) || savesData()) return;
  const script = document.createElement('script');
  script.type = TYPE;
  try {
    script.text = trustedCode().createScript('');
    document.head.append(script);
  } catch {
    // Another Content Security Policy than the site's own refuses the script. Then nothing is fetched ahead.
  }
}
