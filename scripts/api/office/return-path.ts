import { OFFICE, type OfficeContext } from './page.ts';

const ANY_ORIGIN = 'http://office.invalid';

/** Where somebody goes after signing in: an address of the office, else its home. */
export function returnPath(given: unknown): string {
  if (typeof given !== 'string' || !URL.canParse(given, ANY_ORIGIN)) return OFFICE;
  const { origin, pathname, search } = new URL(given, ANY_ORIGIN);
  const isOffice = origin === ANY_ORIGIN && (pathname === OFFICE || pathname.startsWith(`${OFFICE}/`));
  return isOffice && !pathname.startsWith(`${OFFICE}/sign-`) ? pathname + search : OFFICE;
}

/** The address of the sign-in page, from where one comes back to this page. A form's address has no page to come back to. */
export function signInPath({ req }: OfficeContext): string {
  const { pathname, search } = new URL(req.url);
  const path = req.method === 'GET' ? returnPath(pathname + search) : OFFICE;
  return `${OFFICE}/sign-in${path === OFFICE ? '' : `?${new URLSearchParams({ to: path })}`}`;
}
