import type { APIRoute } from 'astro';
import { catalogueReport } from '#catalogue/catalogue.ts';

/** A summary of the catalogue. `npm run release` compares it with the last release (scripts/publish). */
export const GET: APIRoute = async () => Response.json(await catalogueReport());
