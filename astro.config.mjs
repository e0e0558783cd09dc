import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { chunkGroups } from './scripts/page-scripts/chunks.ts';
import { sharedHint } from './scripts/page-scripts/compile-hint.ts';
import { keepRenderer } from './scripts/prerender/integration.ts';
import { images } from './src/images/integration.ts';
import { noteChunks } from './src/inline/chunks.ts';
import { inlineScripts } from './src/inline/scripts.ts';
import { shortProperties } from './src/inline/short-properties.ts';
import { site } from './src/site.ts';

export default defineConfig({
  site: site.origin,
  output: 'static',
  outDir: process.env.OUT_DIR ?? './dist',
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'always', assets: '_astro' },
  compressHTML: 'jsx',
  devToolbar: { enabled: false },
  integrations: [react(), images(), keepRenderer()],
  vite: {
    plugins: [tailwindcss(), inlineScripts(), noteChunks(), shortProperties()],
    environments: {
      client: {
        build: {
          rolldownOptions: {
            output: { codeSplitting: { groups: chunkGroups }, postBanner: sharedHint },
          },
        },
      },
    },
    build: { cssMinify: 'lightningcss', modulePreload: { polyfill: false } },
  },
});
