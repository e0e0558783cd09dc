import type { APIRoute } from 'astro';
import { catalogue } from '#catalogue/catalogue.ts';
import { displayName } from '#domain/store-info.ts';

/** W3C Web Application Manifest. */
export const GET: APIRoute = async () => {
  const { store } = await catalogue();
  const name = displayName(store);
  const png = (size: number, purpose: string) => ({
    src: `/icon-${size}.png`,
    type: 'image/png',
    sizes: `${size}x${size}`,
    purpose,
  });
  return Response.json({
    name,
    short_name: name,
    ...(store.description ? { description: store.description } : {}),
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    lang: 'en-IN',
    dir: 'ltr',
    background_color: '#C9EBD0',
    theme_color: '#C9EBD0',
    categories: ['shopping', 'food'],
    icons: [
      { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
      png(192, 'any'),
      png(512, 'any'),
      png(512, 'maskable'),
    ],
  });
};
