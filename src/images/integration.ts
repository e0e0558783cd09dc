import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { IMAGE_CACHE, PICTURES_PATH } from './places.ts';

/** Tells src/images.ts where the site is written, and serves the variants while developing. */
export const images = (): AstroIntegration => ({
  name: 'images',
  hooks: {
    'astro:config:done': ({ config }) => {
      process.env.IMAGE_OUT = fileURLToPath(new URL(`.${PICTURES_PATH}`, config.outDir));
    },
    'astro:server:setup': ({ server }) => {
      delete process.env.IMAGE_OUT;
      server.middlewares.use(PICTURES_PATH, ({ url = '' }, response) => {
        response.setHeader('Content-Type', 'image/avif');
        createReadStream(join(IMAGE_CACHE, url.replace(/[^\w.-]/g, '')))
          .on('error', () => response.writeHead(404).end())
          .pipe(response);
      });
    },
  },
});
