import { fileOf, type Path } from './path.ts';

/*
 * Thousands of pages of one route, made in one request: what Astro sets up for a request and takes down after it (a fifth
 * of the time of a product's page) is the same for each of them. The first page of a route goes through Astro as a whole,
 * and what it then hands to the page's component serves the others too.
 */

/** What Astro's runtime knows of the request it renders; only what is read or renewed here. */
interface Result {
  pathname: string;
  readonly params: Record<string, string | undefined>;
  /** What the page's head is to hold; emptied when it was written. */
  links: Set<unknown>;
  scripts: Set<unknown>;
  styles: Set<unknown>;
  /** What it has noted on the way. */
  _metadata: Record<string, unknown>;
  readonly createAstro: (props: object, slots: null) => { readonly url: URL; readonly request: Request };
}

type Component = (result: Result, props: object, slots: object) => unknown;

/** What `getStaticPaths` of a page says of one of them. */
interface Entry {
  readonly params: Record<string, string | undefined>;
  readonly props?: object;
  readonly cacheKey?: unknown;
}

interface PageModule {
  readonly default: Component;
  readonly getStaticPaths?: (options: unknown) => Promise<readonly Entry[]>;
}

/** Of the page's compiled code, `astro/runtime/server/index.js`. */
type RenderToString = (
  result: Result,
  component: Component,
  props: object,
  slots: object,
  isPage: boolean,
  route: Path['route'],
) => Promise<unknown>;

interface Family {
  readonly component: Component;
  readonly entries: Map<unknown, Entry>;
  /** From the first page on. */
  next?: (path: Path, entry: Entry) => Result;
}

type Changing = Pick<Result, 'links' | 'scripts' | 'styles' | '_metadata'>;

const copyOf = (value: unknown): unknown => {
  if (value instanceof Set) return new Set(value);
  return Array.isArray(value) ? [...value] : value;
};

const copiesOf = ({ links, scripts, styles, _metadata }: Changing): Changing => ({
  links: new Set(links),
  scripts: new Set(scripts),
  styles: new Set(styles),
  _metadata: Object.fromEntries(Object.entries(_metadata).map(([name, value]) => [name, copyOf(value)])),
});

/** The same request for one page after the other: of a request, a page learns its address and parameters, and no more. */
function renewing(result: Result): (path: Path, entry: Entry) => Result {
  const { url, request } = result.createAstro({}, null);
  const untouched = copiesOf(result);
  Object.defineProperty(request, 'url', { get: () => url.href });
  return (path, { params }) => {
    url.pathname = encodeURI(`/${fileOf(path)}`);
    result.pathname = url.pathname;
    Object.assign(result.params, params);
    return Object.assign(result, copiesOf(untouched));
  };
}

export type PageFamilies = ReturnType<typeof pageFamilies>;

/** Makes the pages of a route, all but the first, without a request of their own. */
export function pageFamilies(renderToString: RenderToString) {
  const families = new Map<string, Family>();
  return {
    /** The module of a route's pages, as Astro is to use it. */
    join(route: string, module: PageModule): PageModule {
      const { default: component, getStaticPaths } = module;
      if (!getStaticPaths || typeof component !== 'function') return module;
      const family: Family = { component, entries: new Map() };
      families.set(route, family);
      const first: Component = (result, props, slots) => {
        family.next ??= renewing(result);
        return component(result, props, slots);
      };
      return {
        ...module,
        default: Object.assign(first, component),
        async getStaticPaths(options) {
          const entries = await getStaticPaths(options);
          for (const entry of entries) family.entries.set(entry.cacheKey, entry);
          return entries;
        },
      };
    },
    /** The page, where one of its route was made before and its `cacheKey` tells it from the others. */
    async render(path: Path): Promise<string | undefined> {
      const family = path.cacheKey === undefined ? undefined : families.get(path.route.component);
      const entry = family?.entries.get(path.cacheKey);
      if (!family?.next || !entry) return undefined;
      const { component, next } = family;
      const page = await renderToString(
        next(path, entry),
        component,
        { ...entry.props },
        {},
        true,
        path.route,
      );
      return typeof page === 'string' ? page : undefined;
    },
  };
}
