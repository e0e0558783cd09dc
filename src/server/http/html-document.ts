import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** Renders a page, from its `html` element down. */
export const htmlDocument = (page: ReactElement): string => `<!doctype html>\n${renderToStaticMarkup(page)}`;
