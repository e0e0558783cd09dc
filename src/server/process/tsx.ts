import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

/*
 * For `node --import`. Node strips the types of .ts files, but does not compile the JSX of .tsx files: the server's
 * pages and emails.
 */
registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.tsx')) return nextLoad(url, context);
    const file = fileURLToPath(url);
    const { code, errors } = transformSync(file, readFileSync(file, 'utf8'), {
      jsx: { runtime: 'automatic' },
    });
    if (errors.length > 0) throw new Error(`${file}: ${errors.map(String).join('\n')}`);
    return { format: 'module', source: code, shortCircuit: true };
  },
});
