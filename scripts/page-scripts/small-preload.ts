import type { Plugin } from 'vite';

/** Offers the event that pages answer when a chunk of an older release is gone (faults 89), and then waits with them; nothing else. */
const HELPER = `export const __vitePreload = (load) => load().catch((error) => {
  const event = new Event('vite:preloadError', { cancelable: true });
  event.payload = error;
  dispatchEvent(event);
  if (!event.defaultPrevented) throw error;
  return new Promise(() => {});
});`;

const LIST = /^const __vite__mapDeps=.*\n/m;
const USE = /,\s*__vite__mapDeps\(\[[\d,\s]*\]\)/g;

/**
 * Vite's own helper brings a kilobyte to every page, and every script lists what its later parts import, all for
 * style sheets that this site has inline.
 */
export const smallPreload = (): Plugin => ({
  name: 'small-preload',
  enforce: 'pre',
  load: (id) => (id.endsWith('vite/preload-helper.js') ? HELPER : null),
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === 'chunk') output.code = output.code.replace(LIST, '').replace(USE, '');
      }
    },
  },
});
