/** Astro's own description of a route; only what is read here. */
interface Route {
  readonly component: string;
  readonly type: string;
}

/** A page to be made. */
export interface Path {
  /** Without slash at the end, decoded; '' for the home page. */
  readonly pathname: string;
  readonly route: Route;
  /** The page is as it was while this is as it was; undefined where nobody knows. */
  readonly cacheKey?: string | undefined;
}

const isPage = ({ route }: Path): boolean => route.type === 'page';

/** The page's file within the site: `build.format: 'file'`. */
export function fileOf(path: Path): string {
  const name = path.pathname.replace(/^\/|\/$/g, '');
  return isPage(path) ? `${name || 'index'}.html` : name;
}
