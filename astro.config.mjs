import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { images } from './src/images/integration.ts';
import { noteChunks } from './src/inline/chunks.ts';
import { inlineScripts } from './src/inline/scripts.ts';
import { site } from './src/site.ts';

/**
 * Vite's own helper brings a kilobyte to every page for style sheets that this site inlines. What is kept is its
 * event for a chunk that is gone (faults 89).
 */
const smallPreload = {
  name: 'small-preload',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('vite/preload-helper.js')) return null;
    return `export const __vitePreload = (load) => load().catch((error) => {
      const event = new Event('vite:preloadError', { cancelable: true });
      event.payload = error;
      dispatchEvent(event);
      if (!event.defaultPrevented) throw error;
    });`;
  },
};

export default defineConfig({
  site: site.origin,
  output: 'static',
  outDir: process.env.OUT_DIR ?? './dist',
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'always', assets: '_astro' },
  compressHTML: true,
  devToolbar: { enabled: false },
  integrations: [react(), images()],
  vite: {
    plugins: [tailwindcss(), smallPreload, inlineScripts(), noteChunks()],
    build: { cssMinify: 'lightningcss', modulePreload: { polyfill: false } },
  },
});
