import type { APIRoute } from 'astro';
import { catalogueReport } from '#catalogue/catalogue.ts';

/** What the site was made of: `npm run publish` compares it with the release before (scripts/publish). */
export const GET: APIRoute = async () => Response.json(await catalogueReport());
